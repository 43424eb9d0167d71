import { createFill } from "../../../../wire/schemas/filled.ts";
import { EVENT_DEFAULTS, type Event, type StoredEvent } from "../../model.ts";

/** A stored event as it is read by rules. */
export const readEvent: (stored: StoredEvent) => Event = createFill(EVENT_DEFAULTS);

/** The event with `null` where it is stored so: rules that made it what it is read the defaults there. */
export function withNulls(event: Event, sources: Readonly<Record<string, unknown>>): StoredEvent {
  const members = Object.keys(EVENT_DEFAULTS).filter((member) => sources[member] === null);
  return { ...event, ...Object.fromEntries(members.map((member) => [member, null])) };
}
