import * as z from "zod";
import { mayAccess } from "../../../directory/access/require-access.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { AccessError, DomainError } from "../../../kernel/errors/errors.ts";
import { bulkQuery, wholeCondition } from "../../../kernel/searches/search-page.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";
import { BULK_KIND, type TicketOrder } from "../services/bulk-delete.ts";
import { authorOf, requireTicket } from "./inputs.ts";

export const deleteTicket = defineCommand({
  name: "delete_ticket",
  summary:
    "Remove a ticket permanently; it is unlinked from jobs and alerts and its files are removed in the background.",
  access: privilege("delete_tickets"),
  refuses: ["ticket"],
  input: looseObject(() => ({ id: WordId })),
  output: Done,
  async handler({ id }, context) {
    const { actor, services } = context;
    const ticket = await services.tickets.lock(context, id);
    if (!ticket) throw new DomainError("ticket", "unknown", `Failed to delete ticket: ${id}: Error: Item not found`);
    requireTicket(actor, ticket);
    await services.tickets.remove(context, id, authorOf(actor));
    return {};
  },
});

const RESUMED_SEC = 60;
const copyOf = <T>(value: unknown): T => structuredClone(value) as T;

export const bulkSearchDeleteTickets = defineCommand({
  name: "bulk_search_delete_tickets",
  summary:
    "Delete all tickets that match a query, `*` for all, in the background; each leaves its own row in the activity log.",
  access: privilege("delete_tickets"),
  refuses: ["ticket"],
  input: looseObject(() => ({ query: bulkQuery })),
  output: object(() => ({ id: z.string() })),
  async handler({ query }, { actor, audit, client, config, ids, now, services, tx }) {
    if (!mayAccess(actor, { category: "*", group: "*" }))
      throw new AccessError("Category or group limited users may not use this API");
    const target = { collection: ticketCollection, table: ticketSearch, code: "ticket" };
    wholeCondition({ now, config }, query, target);
    const id = ids.short("i");
    const { ip, ips, headers, userAgent, requestId } = client;
    const order: TicketOrder = {
      id,
      query,
      now,
      actor: copyOf(actor),
      client: copyOf({ ip, ips, headers, userAgent, ...(requestId === undefined ? {} : { requestId }) }),
    };
    // If this node ends before the deletion is complete, another node resumes it.
    await tx.enqueue(BULK_KIND, order, { runAt: now + RESUMED_SEC });
    const spec = { id, title: "Bulk deletion of tickets", type: "db", username: actor.id, params: { query } } as const;
    return services.internalJobs.startAfter({ audit, tx }, spec, ({ signal, stat }) =>
      services.ticketDeletion.run(order, { signal, tell: (removed) => stat("deleted", removed) }),
    );
  },
});
