import { requireAccess } from "../../directory/access/require-access.ts";
import type { QueryContext } from "../../kernel/calls/context.ts";
import { NotFoundError } from "../../kernel/errors/errors.ts";
import { readable } from "../../ports/storage/collection.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "./collection.ts";
import type { Event } from "./model.ts";

/** Events, for other domains to read. */
export const eventRecords = readable(eventCollection);

/** Job history of each event, for other domains to read. */
export const eventHistoryRecords = readable(eventHistoryCollection);

/** The scheduler's state of each event, for other domains to read. */
export const eventStateRecords = readable(eventStateCollection);

/** The event with an id, if the caller may see it. */
export async function requireEvent(
  id: string,
  { actor, services, tx }: Pick<QueryContext, "actor" | "services" | "tx">,
): Promise<Event> {
  const event = await services.eventRecords.read(tx, id);
  if (!event) throw new NotFoundError(`Failed to locate event: ${id}`);
  requireAccess(actor, { category: event.category, targets: event.targets });
  return event;
}
