import { readable } from "../../ports/collection.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "./collection.ts";

/** Events, for other domains to read. */
export const eventRecords = readable(eventCollection);

/** What the last runs of each event left, for other domains to read. */
export const eventHistoryRecords = readable(eventHistoryCollection);

/** Where the schedule of each event stands, for other domains to read. */
export const eventStateRecords = readable(eventStateCollection);
