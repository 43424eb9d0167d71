import { ticketCollection, ticketSearch } from "../../../desk/tickets/collection.ts";
import type { Ticket } from "../../../desk/tickets/model.ts";

/** A ticket of the corpus, stored and searched like any ticket. */
export type CorpusTicket = Ticket;
export const corpusCollection = {
  ...ticketCollection,
  name: "conformance_tickets",
  // Not unique: some tickets appear twice, like records that were written again.
  columns: { ...ticketCollection.columns, num: { type: "integer", read: ({ num }: Ticket) => num } },
} as const;
export const corpusTable = ticketSearch;
