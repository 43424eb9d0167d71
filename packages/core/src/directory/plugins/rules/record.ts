import { orderedText } from "../../../lib/json/json-text.ts";
import { type NewStamp, newStamps, updateRecord } from "../../../wire/fields/stamps.ts";
import { areSame, movedVersion } from "../../../wire/params-version.ts";
import { filled } from "../../../wire/schemas/filled.ts";
import { type CreatePlugin, MAX_TIMEOUT, type PluginRecord, type UpdatePlugin } from "../model.ts";
import { checkDefinitions } from "./parameters/fields.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members that only some types have, with their defaults (docs/contract/plugins.md#record). */
const DEFAULTS: Readonly<Record<PluginRecord["type"], Members>> = {
  event: { kill: "parent", runner: false },
  monitor: { groups: [], format: "text", quick: false, timeout: 10 },
  action: { timeout: 60 },
  scheduler: { timeout: 30 },
};

/** Makes a new plugin; one from the marketplace may not choose its user and group. */
export function newPlugin(input: CreatePlugin, { id, username, now }: NewStamp): PluginRecord {
  const plugin = {
    ...filled(input, { ...DEFAULTS[input.type], script: "", uid: "", gid: "", enabled: true, icon: "", notes: "" }),
    id,
    params_version: now,
    ...newStamps(username, now),
  } as PluginRecord;
  return plugin.marketplace ? withoutIdentity(plugin) : plugin;
}

/** Applies the members sent to the stored plugin; its origin in the marketplace does not change. */
export function changedPlugin(stored: PluginRecord, input: UpdatePlugin, now: number): PluginRecord {
  const { marketplace: _origin, params_version: _version, ...sent } = input;
  const updated = updateRecord(stored, sent, now);
  const version = areSame(stored.params, updated.params) ? stored.params_version : movedVersion(stored, now);
  const plugin = { ...updated, ...(version === undefined ? {} : { params_version: version }) };
  return stored.marketplace ? withoutIdentity(plugin) : plugin;
}

/** True for a valid timeout. Sums are checked too: "+5" has nothing to add to when no number is stored. */
export const isTimeout = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= MAX_TIMEOUT;

function withoutIdentity({ uid: _uid, gid: _gid, ...plugin }: PluginRecord): PluginRecord {
  return plugin as PluginRecord;
}

/**
 * The wire text of the first fault in the parameter definitions that were sent
 * (docs/contract/parameters.md#faults-of-definitions).
 */
export function paramsFault(params: unknown): string | undefined {
  if (params === undefined || params === null) return undefined;
  if (!Array.isArray(params)) return "Malformed plugin parameter: params (must be array)";
  const fault = checkDefinitions(params);
  return fault && (fault.toolset ? fault.reason : `Malformed plugin parameter: ${fault.id}: ${fault.reason}`);
}

/**
 * True when the change needs an administrator: a change of user, group or runner, or of the definitions of locked parameters
 * (docs/contract/plugins.md#operations). A member sent with its stored value is no change.
 */
export function needsAdministrator(stored: Partial<PluginRecord>, sent: Omit<UpdatePlugin, "id">): boolean {
  // A plugin from the marketplace has neither member: values for them are dropped.
  const isChanged = (member: "uid" | "gid"): boolean =>
    !stored.marketplace && sent[member] !== undefined && (sent[member] ?? "") !== (stored[member] ?? "");
  if (isChanged("uid") || isChanged("gid")) return true;
  if (sent.runner !== undefined && Boolean(sent.runner) !== Boolean(stored.runner)) return true;
  return sent.params !== undefined && lockedOf(stored.params) !== lockedOf(sent.params);
}

/** Serialises the locked definitions, independently of the order of definitions and members. */
function lockedOf(params: unknown): string {
  if (!Array.isArray(params)) return "";
  const locked = (params as readonly Members[]).filter((definition) => definition["locked"]);
  return locked
    .map((definition) => orderedText(definition))
    .toSorted()
    .join("\n");
}
