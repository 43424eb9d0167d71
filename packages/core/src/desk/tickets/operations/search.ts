import * as z from "zod";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { searchParameters } from "../../../kernel/search-page.ts";
import { searchRows } from "../../../kernel/search-rows.ts";
import { flag } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";
import type { Ticket } from "../model.ts";
import { visibleTickets } from "../rules/visible-tickets.ts";

export const searchTickets = defineQuery({
  name: "search_tickets",
  method: "ANY",
  summary: "Search tickets; `compact` leaves out `body` and counts `changes`. A page over 16 MiB ends early.",
  access: credentials,
  input: z.looseObject({ ...searchParameters, compact: flag().optional() }),
  output: listOf(z.looseObject({ id: z.string() })),
  async handler({ compact: isCompact = false, ...input }, context) {
    context.services.jobs.stats.count(["search"]);
    const restriction = visibleTickets(context.actor);
    const target = { collection: ticketCollection, table: ticketSearch, code: "ticket", restriction };
    const show = (ticket: Ticket): { id: string } => (isCompact ? compact(ticket) : ticket);
    const { rows, total } = await searchRows(context, input, target, { show });
    return asList(rows, total);
  },
});

const compact = ({ body: _body, changes, ...ticket }: Ticket) => ({ ...ticket, changes: changes.length });
