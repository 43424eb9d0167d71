import * as z from "zod";
import { type Actor, type Client, localClient } from "../../../kernel/calls/context.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { SearchableTable, WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import { searchCondition } from "../../../kernel/searches/search-page.ts";
import { allOf, atMost, equal, type SearchNode } from "../../../search/ast.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";

/** Kind of queued work that deletes the tickets of a query. */
export const BULK_KIND = "tickets.bulk_delete";

const texts = z.array(z.string());
const BulkItem = object(() => ({
  id: z.string(),
  query: z.string(),
  /** Unix seconds; a ticket created later stays, even if the query matches it. */
  now: z.number(),
  actor: z.object({
    kind: z.enum(["system", "user", "host", "key", "anonymous"]),
    id: z.string(),
    title: z.string(),
    privileges: z.record(z.string(), z.literal(true)),
    categories: texts,
    groups: texts,
  }),
  client: z.object({
    ip: z.string(),
    ips: texts,
    headers: z.record(z.string(), z.string()),
    userAgent: z.string(),
    requestId: z.string().optional(),
  }),
}));
/** Who ordered the deletion, as the rows of the activity log name them. */
type Order = { readonly actor: Actor; readonly client: Client };

const PAGE = 100;

/** Deletes the tickets that match a caller's query. */
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

/** Resumes a deletion whose node ended. After a complete deletion, nothing is left to delete. */
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
 * Removes the ticket if it still matches under its lock, as it may have changed since the search. Returns whether it was removed.
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

/** Removes a ticket for the bulk deletion that names its table. */
export const removeTicket: NonNullable<SearchableTable["remove"]> = async (id, { actor, client }, deps) => {
  await removeMatching(deps, { matching: equal("id", id), id }, { actor, client });
};
