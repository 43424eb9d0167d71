import * as z from "zod";
import { credentials, defineQuery } from "../../../kernel/calls/operation.ts";
import { searchParameters } from "../../../kernel/searches/search-page.ts";
import { searchRows } from "../../../kernel/searches/search-rows.ts";
import { optionalFlag } from "../../../wire/fields/fields.ts";
import { asList, listOf } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { shownRecord } from "../../../wire/schemas/shown-members.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";
import { Ticket, TicketChange } from "../model.ts";
import { compact, compactText } from "../rules/record.ts";
import { visibleTickets } from "../rules/visible-tickets.ts";

/** A ticket in a search result. In its compact form it has no body, and only the number of its changes. */
const FoundTicket = looseObject(() => ({
  ...Ticket.partial({ body: true }).shape,
  changes: z.union([z.array(TicketChange), z.int()]),
}));

export const searchTickets = defineQuery({
  name: "search_tickets",
  method: "ANY",
  summary: "Search tickets; `compact` leaves out `body` and counts `changes`. A page over 16 MiB ends early.",
  access: credentials,
  refuses: ["ticket"],
  input: looseObject(() => ({ ...searchParameters, compact: optionalFlag() })),
  output: listOf(shownRecord(FoundTicket)),
  async handler({ compact: isCompact = false, ...input }, context) {
    context.services.jobs.stats.count(["search"]);
    const restriction = visibleTickets(context.actor);
    const target = { collection: ticketCollection, table: ticketSearch, code: "ticket", restriction };
    const show = (ticket: Ticket): z.infer<typeof FoundTicket> => (isCompact ? compact(ticket) : ticket);
    const showText = isCompact ? compactText : (json: string) => json;
    const { rows, total } = await searchRows(context, input, target, { show, showText });
    return asList(rows, total);
  },
});
