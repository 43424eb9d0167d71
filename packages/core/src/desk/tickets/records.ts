import { readable } from "../../ports/storage/collection.ts";
import { ticketCollection, ticketSearch } from "./collection.ts";

/** Tickets, for other domains to read. */
export const ticketRecords = readable(ticketCollection);

/** The same, with the fields that queries may name. */
export const ticketTarget = { collection: ticketRecords, table: ticketSearch };
