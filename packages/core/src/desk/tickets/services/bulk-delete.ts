import * as z from "zod";
import type { Cradle } from "../../../kernel/container.ts";
import { type Actor, type Client, localClient } from "../../../kernel/context.ts";
import type { WorkHandler } from "../../../kernel/plugin.ts";
import { searchCondition } from "../../../kernel/search-page.ts";
import { allOf, equal, type SearchNode } from "../../../search/ast.ts";
import { ticketCollection, ticketSearch } from "../collection.ts";

/** Kind of the queued item that deletes the tickets of a query. */
export const BULK_KIND = "tickets.bulk_delete";

const texts = z.array(z.string());
const BulkItem = z.object({
  id: z.string(),
  query: z.string(),
  /** Unix seconds; what is created later stays, whatever the query says. */
  now: z.number(),
  actor: z.object({
    kind: z.enum(["system", "user", "host", "key", "anonymous"]),
    ...{ id: z.string(), title: z.string(), privileges: z.record(z.string(), z.literal(true)) },
    ...{ categories: texts, groups: texts },
  }),
  client: z.object({ ip: z.string(), ips: texts, headers: z.record(z.string(), z.string()), userAgent: z.string() }),
});
/** The rows of the activity log name who ordered the deletion. */
type Order = { readonly actor: Actor; readonly client: Client };

const PAGE = 100;

/** In bounded steps, oldest first; what is done stays done when the worker is stopped. */
export const bulkDelete: WorkHandler = async ({ payload }, cradle, signal) => {
  const { id, query, now, actor, client } = BulkItem.parse(payload);
  const order = { actor, client: { ...localClient, ...client } };
  const target = { collection: ticketCollection, table: ticketSearch, code: "ticket" };
  const { where } = searchCondition({ now, config: cradle.config }, query, target);
  const matching = allOf([where, { kind: "compare", field: "created", operator: "lte", value: now }]);
  for (let after: string | undefined = ""; after !== undefined; ) {
    signal.throwIfAborted();
    after = await removePage(cradle, { matching, after }, order);
  }
  cradle.events.emit("bulk.deleted", { list: "tickets", id });
};

type Deps = Pick<Cradle, "snapshot" | "tickets" | "transact">;

/** The last id of the page; undefined = it was the last page. */
async function removePage(
  deps: Deps,
  { matching, after }: { readonly matching: SearchNode; readonly after: string },
  order: Order,
): Promise<string | undefined> {
  const beyond: SearchNode = { kind: "compare", field: "id", operator: "gt", value: after };
  const page = { sortBy: "id", limit: PAGE };
  const { rows } = await deps.snapshot((tx) => tx.collection(ticketCollection).find(allOf([matching, beyond]), page));
  for (const { id } of rows) await removeMatching(deps, { matching, id }, order);
  return rows.length < PAGE ? undefined : rows.at(-1)?.id;
}

/** Somebody may have changed it since it was found, so it is asked again once nobody else writes it. */
async function removeMatching(
  { tickets, transact }: Deps,
  { matching, id }: { readonly matching: SearchNode; readonly id: string },
  { actor, client }: Order,
): Promise<void> {
  await transact(
    async (unit) => {
      await tickets.lock(unit, id);
      const found = await unit.tx.collection(ticketCollection).find(allOf([matching, equal("id", id)]), { limit: 1 });
      if (found.total > 0) await tickets.remove(unit, id, { username: actor.id, isAdmin: true });
    },
    { actor, client },
  );
}
