import { readable } from "../../ports/collection.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "./collection.ts";

/** Events, for other domains to read. */
export const eventRecords = readable(eventCollection);

/** Job history of each event, for other domains to read. */
export const eventHistoryRecords = readable(eventHistoryCollection);

/** The scheduler's state of each event, for other domains to read. */
export const eventStateRecords = readable(eventStateCollection);
