import * as z from "zod";
import { type Actor, type Client, localClient } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { SearchableTable, WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import { searchCondition } from "../../../kernel/searches/search-page.ts";
import { allOf, atMost, equal, type SearchNode } from "../../../search/ast.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";

/** Kind of the queued item that deletes the tickets of a query. */
export const BULK_KIND = "tickets.bulk_delete";

const texts = z.array(z.string());
const BulkItem = object(() => ({
  id: z.string(),
  query: z.string(),
  /** Unix seconds; a ticket created later stays, even if the query matches it. */
  now: z.number(),
  actor: z.object({
    kind: z.enum(["system", "user", "host", "key", "anonymous"]),
    ...{ id: z.string(), title: z.string(), privileges: z.record(z.string(), z.literal(true)) },
    ...{ categories: texts, groups: texts },
  }),
  client: z.object({
    ...{ ip: z.string(), ips: texts, headers: z.record(z.string(), z.string()), userAgent: z.string() },
    requestId: z.string().optional(),
  }),
}));
/** The rows of the activity log name who ordered the deletion. */
type Order = { readonly actor: Actor; readonly client: Client };

const PAGE = 100;

/** Deletes the tickets of a caller's order. */
export interface TicketDeletion {
  run(order: TicketOrder, removing: Removing): Promise<void>;
}

export function createTicketDeletion(deps: Deps & Pick<Cradle, "config" | "events">): TicketDeletion {
  return {
    async run(order, removing) {
      await deleteTickets(deps, order, removing);
      deps.events.emit("bulk.deleted", { list: "tickets" });
    },
  };
}

/** Goes on with a deletion whose node has ended; otherwise there is nothing left to delete. */
export const bulkDelete: WorkHandler = async ({ payload }, cradle, signal) => {
  const { removed } = await deleteTickets(cradle, BulkItem.parse(payload), { signal });
  if (removed > 0) cradle.events.emit("bulk.deleted", { list: "tickets" });
};

interface Removing {
  readonly signal: AbortSignal;
  readonly tell?: (removed: number) => void;
}

/** The stored order, kept until the tickets are gone. */
export type TicketOrder = z.infer<typeof BulkItem>;

/** Deletes in bounded steps, oldest first; tickets deleted before a stop stay deleted. */
async function deleteTickets(
  deps: Deps & Pick<Cradle, "config">,
  { query, now, actor, client }: Pick<TicketOrder, "query" | "now" | "actor" | "client">,
  { signal, tell }: Removing,
): Promise<{ removed: number }> {
  const order = { actor, client: { ...localClient, ...client } };
  const target = { collection: ticketCollection, table: ticketSearch, code: "ticket" };
  const { where } = searchCondition({ now, config: deps.config }, query, target);
  const matching = allOf([where, atMost("created", now)]);
  let removed = 0;
  for await (const rows of pagesById(deps.snapshot, ticketCollection, { where: matching, size: PAGE })) {
    signal.throwIfAborted();
    for (const { id } of rows) if (await removeMatching(deps, { matching, id }, order)) removed += 1;
    tell?.(removed);
  }
  return { removed };
}

type Deps = Pick<Cradle, "snapshot" | "tickets" | "transact">;

/**
 * The ticket may have changed since it was found, so the query is asked again under its lock. Answers whether the ticket
 * is removed.
 */
async function removeMatching(
  { tickets, transact }: Deps,
  { matching, id }: { readonly matching: SearchNode; readonly id: string },
  { actor, client }: Order,
): Promise<boolean> {
  return transact(
    async (unit) => {
      await tickets.lock(unit, id);
      const found = await unit.tx.collection(ticketCollection).find(allOf([matching, equal("id", id)]), { limit: 1 });
      if (found.total > 0) await tickets.remove(unit, id, { username: actor.id, isAdmin: true });
      return found.total > 0;
    },
    { actor, client },
  );
}

/** Removes a ticket for deletions that name their table. */
export const removeTicket: NonNullable<SearchableTable["remove"]> = async (id, { actor, client }, deps) => {
  await removeMatching(deps, { matching: equal("id", id), id }, { actor, client });
};
