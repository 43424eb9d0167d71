import { createFill } from "../../../../wire/schemas/filled.ts";
import { EVENT_DEFAULTS, type Event, type StoredEvent } from "../../model.ts";

/** A stored event as it is read by rules. */
export const readEvent: (stored: StoredEvent) => Event = createFill(EVENT_DEFAULTS);

/** An event that was made of sources, with their `null` in the place of the defaults that rules read for them: it is stored so. */
export function withNulls(event: Event, sources: Readonly<Record<string, unknown>>): StoredEvent {
  const members = Object.keys(EVENT_DEFAULTS).filter((member) => sources[member] === null);
  return { ...event, ...Object.fromEntries(members.map((member) => [member, null])) };
}
