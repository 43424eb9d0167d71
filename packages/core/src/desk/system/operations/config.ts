import * as z from "zod";
import { InputError } from "../../../kernel/errors.ts";
import { admin, defineCommand, defineQuery } from "../../../kernel/operation.ts";
import { isSurelyLonger } from "../../../lib/json-size.ts";
import type { Collection } from "../../../ports/collection.ts";
import { Done, NoParameters } from "../../../wire/lists.ts";
import { object } from "../../../wire/objects.ts";
import { configOverrideCollection } from "../collection.ts";
import type { ConfigOverride } from "../model.ts";
import { isPath, isReservedKey, isUnchanged, unmasked, valueAt } from "../rules/overrides.ts";

const Members = z.record(z.string(), z.unknown());
/** Characters that may be set at once: all of the configuration is merged and checked anew with them. */
const MAX_SENT = 65_536;

export const adminGetConfig = defineQuery({
  name: "admin_get_config",
  method: "POST",
  summary: "Read the configuration in force and what was set while running; credentials are masked.",
  access: admin,
  input: NoParameters,
  output: object(() => ({
    config: Members,
    overrides: Members,
    sample: Members,
    markdown: z.string(),
    /** Faults of the host's set-up; absent when there are none. */
    warnings: z.array(z.string()).optional(),
  })),
  async handler(_input, { services }) {
    // Older clients expect both members; there is no sample file beside a library.
    return { ...services.liveConfig.shown(), sample: {}, markdown: "" };
  },
});

export const adminUpdateConfig = defineCommand({
  name: "admin_update_config",
  summary: "Set configuration values by their dotted paths; in force at once on every node.",
  access: admin,
  accepts: "anything",
  input: z.looseObject({}),
  output: Done,
  async handler(input, { actor, audit, config, now, services, tx }) {
    const sent = Object.keys(input);
    checkPaths(sent);
    if (isSurelyLonger(input, MAX_SENT)) throw new InputError("Record is too large.");
    await tx.lock("config_overrides");
    const overrides = tx.collection(configOverrideCollection);
    const stored = new Map((await overrides.list()).map(({ id, value }) => [id, value]));
    const changed = new Map<string, unknown>();
    for (const path of sent) {
      const name = path.split(".").at(-1) ?? "";
      if (!isUnchanged(input[path], name)) changed.set(path, unmasked(input[path], valueAt(config, path), name));
    }
    if (changed.size === 0) return {};
    const covered = coveredBy(changed, stored);
    for (const path of covered) stored.delete(path);
    services.liveConfig.check(new Map([...stored, ...changed]));
    for (const path of covered) await overrides.delete(path);
    for (const [id, value] of changed) await put(overrides, { id, value, username: actor.id, modified: now });
    // Names alone: a value may be a credential.
    audit("config_update", { params: [...changed.keys()], keywords: [] });
    return {};
  },
});

function checkPaths(paths: readonly string[]): void {
  if (paths.some(isReservedKey)) throw new InputError("Cannot update reserved configuration keys via API.");
  const wrong = paths.find((path) => !isPath(path));
  if (wrong !== undefined) throw new InputError(`Malformed parameter: ${wrong}`);
}

/** A whole section that is set takes the place of earlier settings inside it. */
function coveredBy(changed: ReadonlyMap<string, unknown>, stored: ReadonlyMap<string, unknown>): string[] {
  return [...stored.keys()].filter(
    (path) => !changed.has(path) && [...changed.keys()].some((section) => path.startsWith(`${section}.`)),
  );
}

async function put(overrides: Collection<ConfigOverride>, record: ConfigOverride): Promise<void> {
  if (await overrides.get(record.id)) await overrides.update(record.id, () => record);
  else await overrides.insert(record);
}
