import { createFill } from "../../../../wire/schemas/filled.ts";
import { EVENT_DEFAULTS, type Event, type StoredEvent } from "../../model.ts";

/** Converts a stored event to the form that rules read. */
export const readEvent: (stored: StoredEvent) => Event = createFill(EVENT_DEFAULTS);

/** Restores the `null` members that the sources had, where rules read defaults: an event is stored with its `null`s. */
export function withNulls(event: Event, sources: Readonly<Record<string, unknown>>): StoredEvent {
  const members = Object.keys(EVENT_DEFAULTS).filter((member) => sources[member] === null);
  return { ...event, ...Object.fromEntries(members.map((member) => [member, null])) };
}
