import * as z from "zod";
import type { QueryContext } from "../../../kernel/context.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { type SearchInput, searchPage, searchParameters } from "../../../kernel/search-page.ts";
import { flag } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";
import type { Ticket } from "../model.ts";
import { visibleTickets } from "../rules/visible-tickets.ts";

/** Tickets that are read at once; each may be as large as a record. */
const BATCH = 100;
/** Characters of one answer: a page ends with the row that reaches it, and the next page goes on from there. */
const MAX_SIZE = 33_554_432;

export const searchTickets = defineQuery({
  name: "search_tickets",
  method: "ANY",
  summary: "Search tickets; `compact` leaves out `body` and counts `changes`. A page over 32 MiB ends early.",
  access: credentials,
  input: z.looseObject({ ...searchParameters, compact: flag().optional() }),
  output: listOf(z.looseObject({ id: z.string() })),
  async handler({ compact: isCompact = false, ...input }, context) {
    context.services.jobs.stats.count(["search"]);
    return findRows(context, input, isCompact ? compact : (ticket) => ticket);
  },
});

async function findRows(context: QueryContext, input: SearchInput, show: (ticket: Ticket) => { id: string }) {
  const restriction = visibleTickets(context.actor);
  const target = { collection: ticketCollection, table: ticketSearch, code: "ticket", restriction };
  const limit = Math.max(1, input.limit ?? 1);
  const rows: { id: string }[] = [];
  const isFull = createScale();
  for (;;) {
    const offset = (input.offset ?? 0) + rows.length;
    const page = await searchPage(context, { ...input, offset, limit: Math.min(BATCH, limit - rows.length) }, target);
    // Shown at once, so that no page of whole tickets is held in memory.
    for (const ticket of page.rows) {
      const row = show(ticket);
      rows.push(row);
      if ((row === ticket && isFull(ticket)) || rows.length === limit) return asList(rows, page.total);
    }
    if (page.rows.length < BATCH) return asList(rows, page.total);
  }
}

/** Says when the tickets so far are enough for one answer. */
function createScale(): (ticket: Ticket) => boolean {
  let size = 0;
  return (ticket) => {
    size += sizeOf(ticket);
    return size >= MAX_SIZE;
  };
}

const compact = ({ body: _body, changes, ...ticket }: Ticket) => ({ ...ticket, changes: changes.length });

/** What can be large in a ticket; the rest is a few hundred characters. */
const sizeOf = ({ body, changes }: Ticket): number =>
  changes.reduce((sum, { body: comment }) => sum + 200 + (comment?.length ?? 0), body.length);
