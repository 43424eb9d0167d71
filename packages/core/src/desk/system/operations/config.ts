import * as z from "zod";
import { admin, defineCommand, defineQuery } from "../../../kernel/calls/operation.ts";
import { InputError } from "../../../kernel/errors/errors.ts";
import { putRecord } from "../../../kernel/transactions/update-if-there.ts";
import { isSurelyLonger } from "../../../lib/json/json-size.ts";
import { Done, NoParameters } from "../../../wire/schemas/lists.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { configOverrideCollection } from "../collection.ts";
import {
  isPath,
  isReservedKey,
  isSettable,
  isUnchanged,
  MAX_OVERRIDES,
  unmasked,
  valueAt,
} from "../rules/overrides.ts";

const Members = z.record(z.string(), z.unknown());
/** Characters that one call may set: the whole configuration is merged and checked again with them. */
const MAX_SENT = 65_536;

export const adminGetConfig = defineQuery({
  name: "admin_get_config",
  method: "POST",
  summary: "Read the present configuration and the settings changed while running; credentials are masked.",
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
    // Older clients expect both members; a library has no sample file.
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
    checkSent(input);
    await tx.lock("config_overrides");
    const overrides = tx.collection(configOverrideCollection);
    const settable = (await overrides.list()).filter(({ id }) => isSettable(id));
    const stored = new Map(settable.map(({ id, value }) => [id, value]));
    const changed = new Map<string, unknown>();
    for (const path of sent) {
      const name = path.split(".").at(-1) ?? "";
      if (!isUnchanged(input[path], name)) changed.set(path, unmasked(input[path], valueAt(config, path), name));
    }
    if (changed.size === 0) return {};
    const covered = coveredBy(changed, stored);
    const next = withoutTakenBack(new Map([...[...stored].filter(([path]) => !covered.includes(path)), ...changed]));
    services.liveConfig.check(next);
    for (const path of stored.keys()) if (!next.has(path)) await overrides.delete(path);
    for (const id of changed.keys())
      if (next.has(id)) await putRecord(overrides, { id, value: next.get(id), username: actor.id, modified: now });
    // Names only, since a value may be a credential.
    audit("config_update", { params: [...changed.keys()], keywords: [] });
    return {};
  },
});

function checkSent(input: Readonly<Record<string, unknown>>): void {
  const paths = Object.keys(input);
  if (paths.some(isReservedKey)) throw new InputError("Cannot update reserved configuration keys via API.");
  const wrong = paths.find((path) => !isPath(path));
  if (wrong !== undefined) throw new InputError(`Malformed parameter: ${wrong}`);
  if (paths.length > MAX_OVERRIDES || isSurelyLonger(input, MAX_SENT)) throw new InputError("Record is too large.");
}

/** A whole section that is set takes the place of earlier settings inside it. */
function coveredBy(changed: ReadonlyMap<string, unknown>, stored: ReadonlyMap<string, unknown>): string[] {
  return [...stored.keys()].filter(
    (path) => !changed.has(path) && [...changed.keys()].some((section) => path.startsWith(`${section}.`)),
  );
}

/** Null removes an override. The null is stored only when an overridden section also contains the path. */
function withoutTakenBack(overrides: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const isInside = (path: string): boolean =>
    [...overrides].some(([section, value]) => value !== null && path.startsWith(`${section}.`));
  return new Map([...overrides].filter(([path, value]) => value !== null || isInside(path)));
}
