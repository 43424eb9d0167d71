import { ticketCollection, ticketSearch } from "../../../desk/tickets/collection.ts";
import type { Ticket } from "../../../desk/tickets/model.ts";

/** The tickets of the corpus are stored and searched as all tickets are. */
export type CorpusTicket = Ticket;
export const corpusCollection = {
  ...ticketCollection,
  name: "conformance_tickets",
  // Some tickets are there twice, like records that were written again.
  columns: { ...ticketCollection.columns, num: { type: "integer", read: ({ num }: Ticket) => num } },
} as const;
export const corpusTable = ticketSearch;
