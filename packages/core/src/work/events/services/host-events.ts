import { categoryFault } from "../../../directory/categories/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { HostEvent } from "../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { orderedText } from "../../../lib/json/json-text.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { newStamps } from "../../../wire/fields/stamps.ts";
import { areSame, movedVersion } from "../../../wire/params-version.ts";
import { eventCollection } from "../collection.ts";
import { OPTIONAL_MEMBERS } from "../in-code.ts";
import type { Event } from "../model.ts";
import { lostFunctionWarning } from "../rules/lost-functions.ts";
import { readEvent } from "../rules/record/read.ts";
import { withExpect } from "../rules/record/write.ts";
import { actionWarnings, missingTargets } from "./action-warnings.ts";
import { keepPosition } from "./states.ts";

type Deps = Pick<Cradle, "clock" | "definitions" | "log" | "registry" | "transact" | "warnings">;

/**
 * Stores the events of the host program: creates missing ones, and changes existing ones only when their definition in code
 * changed, so that people's edits survive a restart. Events that were removed from the code stay, and a warning is logged at
 * startup.
 */
export async function syncHostEvents(deps: Deps): Promise<void> {
  const { clock, log, registry, transact } = deps;
  for (const host of registry.hostEvents.values()) {
    const now = Math.floor(clock.now());
    const isForeign = await transact((unit) => syncOne(unit, host, now));
    if (isForeign)
      log.error(
        { event: host.id },
        "An event of this program has the id of a stored event that is none; it cannot run",
      );
  }
  await warnOf(deps);
}

/** Warns at startup of lost functions, categories and targets of actions, which would otherwise show only in failures. */
async function warnOf({ definitions, registry, transact, warnings }: Deps): Promise<void> {
  const { hostEvents } = registry;
  const lost = lostFunctionWarning(definitions.all(eventCollection), (id) => hostEvents.has(id));
  if (lost !== undefined) warnings.push(lost);
  if (hostEvents.size === 0) return;
  await transact(async ({ tx }) => {
    for (const { id, record } of hostEvents.values()) {
      const actions = record["actions"] as readonly Action[];
      const fault = await categoryFault(tx, String(record["category"]));
      const absent = [
        ...(fault === undefined ? [] : [`${fault}, so no job can start. Create it, or name another one.`]),
        ...(await missingTargets(tx, actions)),
        ...(await actionWarnings(tx, actions)),
      ];
      warnings.push(...absent.map((sentence) => `Event ${id}: ${sentence}`));
    }
  });
}

/** True when the id belongs to an event of another kind, which is left unchanged. */
async function syncOne({ tx, audit, emit }: Unit, host: HostEvent, now: number): Promise<boolean> {
  // The lock keeps nodes that start at the same time from inserting twice.
  await tx.lock(`event:${host.id}`);
  const events = tx.collection(eventCollection);
  const stored = await events.get(host.id);
  const definition = fingerprintOf(host);
  if (!stored) {
    const filled = { enabled: true, ...recordOf(host), definition, params_version: now, ...newStamps("system", now) };
    const event = withExpect(filled as unknown as Event, undefined, now);
    await events.insert(event);
    audit("event_create", { event });
    emit("event.created", { id: host.id });
    return false;
  }
  if (stored.plugin !== host.record["plugin"]) return true;
  const [hash, ...given] = stored.definition?.split(" ") ?? [];
  if (hash === definition.split(" ", 1)[0]) return false;
  // Only the defaults of the parameters can be compared: the schema consists of functions.
  const isSame = areSame(stored.params, host.record["params"]);
  const version = isSame ? {} : { params_version: movedVersion(stored, now) };
  const changed = { ...recordOf(host), definition, modified: now, ...version };
  await keepPosition(tx, readEvent(stored), readEvent({ ...stored, ...changed }));
  const isKept = (member: string): boolean => !given.includes(member);
  const event = await events.update(host.id, (current) => {
    const kept = filterMembers(current, isKept) as Event;
    return withExpect({ ...kept, ...changed, revision: current.revision + 1 }, readEvent(current), now);
  });
  audit("event_update", { event });
  emit("event.updated", { id: host.id });
  return false;
}

const recordOf = ({ id, title, record }: HostEvent): Record<string, unknown> => ({ ...record, id, title });

/**
 * Hash of a definition, independent of the order of its members, and the names of the optional members that it gives. Those
 * members disappear together with the code that gave them.
 */
const fingerprintOf = (host: HostEvent): string =>
  [sha256Hex(orderedText(recordOf(host))), ...OPTIONAL_MEMBERS.filter((name) => host.record[name] !== undefined)].join(
    " ",
  );
