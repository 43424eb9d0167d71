import type { Config } from "../../../kernel/config/config.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { configOverrideCollection } from "../collection.ts";
import {
  copyData,
  isReservedKey,
  isSettable,
  MAX_OVERRIDES,
  masked,
  type Overrides,
  syncInto,
  withOverrides,
} from "../rules/overrides.ts";

/** Keeps the engine's single configuration object in step with settings changed at run time. */
export interface LiveConfig {
  /** Applies the stored settings. Stored values that this version refuses are skipped and logged. */
  refresh(): void;
  /** The same when the stored overrides changed since. */
  refreshIfChanged(): void;
  /** Throws `InputError` for too many overrides, or with the path of the first invalid member. */
  check(overrides: Overrides): void;
  /** The host's settings, the overrides, and warnings. Reserved keys are left out, credentials masked. */
  shown(): { config: Record<string, unknown>; overrides: Record<string, unknown>; warnings?: string[] };
}

type Deps = Pick<Cradle, "config" | "configSource" | "definitions" | "events" | "log" | "warnings">;
type Parsed = { readonly config: Config } | { readonly fault: string };

function parsedWith(
  schema: Deps["configSource"]["schema"],
  base: Record<string, unknown>,
  overrides: Overrides,
): Parsed {
  const merged = withOverrides(base, overrides);
  if (typeof merged === "string") return { fault: merged };
  const parsed = schema.safeParse(merged);
  if (parsed.success) return { config: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: `${issue?.path.join(".") || "(root)"} (${issue?.message ?? "malformed"})` };
}

/** The overrides that are valid together; logs the others. */
function usablePart(overrides: Overrides, usable: (overrides: Overrides) => Parsed, log: Deps["log"]): Overrides {
  const kept = new Map<string, unknown>();
  for (const [path, value] of overrides) {
    const tried = usable(new Map([...kept, [path, value]]));
    if ("config" in tried) kept.set(path, value);
    else log.error({ path }, "A stored configuration override is not usable and was left out");
  }
  return kept;
}

export function createLiveConfig({ config, configSource, definitions, events, log, warnings }: Deps): LiveConfig {
  const base = copyData(configSource.base) as Record<string, unknown>;
  let seen = 0;
  let isOverridden = false;
  const stored = (): Map<string, unknown> =>
    new Map(definitions.all(configOverrideCollection).map(({ id, value }) => [id, value]));

  const usable = (overrides: Overrides): Parsed => {
    // Imported records could otherwise set what only the host may set: the use of a shell, the secret key.
    const foreign = [...overrides.keys()].find((path) => !isSettable(path));
    return foreign === undefined ? parsedWith(configSource.schema, base, overrides) : { fault: foreign };
  };

  const refresh = (): void => {
    seen = definitions.revision(configOverrideCollection);
    const overrides = stored();
    // Nothing was ever overridden, so the host's settings are in force.
    if (overrides.size === 0 && !isOverridden) return;
    isOverridden = true;
    const parsed = usable(overrides);
    // An upgrade may have narrowed the values of a key: the overrides that are still valid stay in force.
    const applied = "config" in parsed ? parsed : usable(usablePart(overrides, usable, log));
    if ("config" in applied) syncInto(config, applied.config);
    events.emit("config.changed", {});
  };

  return {
    refresh,
    refreshIfChanged() {
      if (definitions.revision(configOverrideCollection) !== seen) refresh();
    },
    check(overrides) {
      if (overrides.size > MAX_OVERRIDES) throw new InputError("Record is too large.");
      const parsed = usable(overrides);
      if ("fault" in parsed) throw new InputError(`Malformed parameter: ${parsed.fault}`);
    },
    shown: () => ({
      config: publicMembers(config),
      overrides: publicMembers(Object.fromEntries(stored())),
      ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
    }),
  };
}

function publicMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(members).filter(([path]) => !isReservedKey(path));
  return Object.fromEntries(entries.map(([path, value]) => [path, masked(value, path.split(".").at(-1))]));
}
