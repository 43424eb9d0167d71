import { isObject } from "../../../../lib/json/is-object.ts";
import { withoutLaunchMembers } from "../../../../wire/entries/launch-members.ts";
import { type NewStamp, newStamps } from "../../../../wire/fields/stamps.ts";
import { areSame, movedVersion } from "../../../../wire/params-version.ts";
import { filled } from "../../../../wire/schemas/filled.ts";
import { storeGraph } from "../../../graphs/rules/nodes.ts";
import { type CreateEvent, EVENT_DEFAULTS, type Event, type Trigger, type UpdateEvent } from "../../model.ts";
import { fillTriggers, storeTriggers } from "../triggers/normalise.ts";
import { readExpect } from "./expect.ts";

/** The record of a new event, with defaults filled in; its shape has been checked. */
export function newEvent(input: CreateEvent, stamp: NewStamp): Event {
  const { update_state: _state, definition: _definition, ...sent } = withoutLaunchMembers(input);
  const event = {
    ...filled(sent, EVENT_DEFAULTS),
    id: stamp.id,
    params_version: stamp.now,
    ...newStamps(stamp.username, stamp.now),
  } as unknown as Event;
  const stored = { ...event, triggers: fillTriggers(storeTriggers(event.triggers, stamp.id), event.fields) };
  return asWorkflow(withExpect(stored, undefined, stamp.now));
}

/** Null removes the expectation. It counts from its first save, or from when the event was enabled again. */
export function withExpect({ expect, ...event }: Event, stored: Event | undefined, now: number): Event {
  if (expect === undefined || expect === null) return event as Event;
  const read = readExpect(expect);
  if (!isObject(read)) return { ...event, expect: read } as Event;
  const known = stored?.expect?.from;
  const isResumed = stored !== undefined && !stored.enabled && Boolean(event.enabled);
  const isOwn = read["from"] !== undefined && read["from"] !== known;
  const from = isOwn ? read["from"] : isResumed ? undefined : known;
  return { ...event, expect: { ...read, from: from ?? Math.floor(now) } } as Event;
}

/** The plugin of all workflows. */
const WORKFLOW_PLUGIN = "_workflow";

/** A workflow does not itself run on a server, and its graph is stored without members that the engine owns. */
function asWorkflow(event: Event): Event {
  if (event.type !== "workflow") return event;
  return { ...event, plugin: WORKFLOW_PLUGIN, targets: [], workflow: storeGraph(event.workflow) };
}

const OWNED: ReadonlySet<string> = new Set([
  ...["id", "type", "username", "created", "modified", "revision", "if_revision", "update_state", "definition"],
  "params_version",
]);

/** The event after an update: each sent member replaces the stored one as a whole; triggers that were not sent stay unchanged. */
export function mergeEvent(stored: Event, input: UpdateEvent, now: number): Event {
  const sent = Object.entries(withoutLaunchMembers(input)).filter(([member]) => !OWNED.has(member));
  const merged = filled(
    { ...stored, ...Object.fromEntries(sent), modified: now, revision: stored.revision + 1 } as Event,
    EVENT_DEFAULTS,
  );
  const triggers = input.triggers === undefined ? stored.triggers : storeTriggers(merged.triggers, stored.id);
  return withVersion(
    stored,
    asWorkflow(
      withExpect({ ...merged, triggers: fillTriggers(triggers as readonly Trigger[], merged.fields) }, stored, now),
    ),
  );
}

/** The event with a new version of its parameters if their definition changed, otherwise unchanged. */
function withVersion(stored: Event, event: Event): Event {
  const isSame = event.plugin === stored.plugin && areSame(event.fields, stored.fields);
  return isSame ? event : { ...event, params_version: movedVersion(stored, event.modified) };
}

/**
 * The first member that is stored as a number and was sent as a text like "+1". That would be a step, which events do not support
 * (docs/contract/events.md#updates).
 */
export function findStep(stored: Event, input: UpdateEvent): string | undefined {
  return Object.entries(input).find(
    ([member, value]) => typeof stored[member] === "number" && typeof value === "string" && /^[+-][\d.]+$/.test(value),
  )?.[0];
}
