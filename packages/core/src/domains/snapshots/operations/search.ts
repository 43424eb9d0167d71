import * as z from "zod";
import type { QueryContext } from "../../../kernel/context.ts";
import { credentials, defineQuery } from "../../../kernel/operation.ts";
import { type SearchInput, searchPage, searchParameters } from "../../../kernel/search-page.ts";
import { flag } from "../../../wire/fields.ts";
import { asList, listOf } from "../../../wire/lists.ts";
import { visibleServers } from "../../servers/rules/visible.ts";
import { snapshotCollection, snapshotSearch } from "../collection.ts";
import { Snapshot, type StoredSnapshot } from "../model.ts";
import { pruned } from "../rules/halves.ts";
import { shown } from "./visible.ts";

/** Rows that are read at once. */
const BATCH = 100;
/** Characters of one answer: a page ends with the row that reaches it, and the next page goes on from there. */
const MAX_SIZE = 33_554_432;

export const searchSnapshots = defineQuery({
  name: "search_snapshots",
  method: "ANY",
  summary: "Search snapshots; without `verbose` their large members are left out. A page over 32 MiB ends early.",
  access: credentials,
  input: z.looseObject({ ...searchParameters, verbose: flag().optional() }),
  output: listOf(Snapshot),
  async handler({ verbose = false, ...input }, context) {
    const { actor, services, tx } = context;
    services.jobs.stats.count(["search"]);
    const rows: Snapshot[] = [];
    const { total, found } = await findWithin(context, input, (row) => row.lightSize + (verbose ? row.size : 0));
    for (const stored of found)
      rows.push(verbose ? shown(actor, await services.snapshots.whole(tx, stored)) : pruned(stored));
    return asList(rows, total);
  },
});

/** The rows of a page, up to the size of an answer. */
async function findWithin(
  context: QueryContext,
  input: SearchInput,
  sizeOf: (row: StoredSnapshot) => number,
): Promise<{ readonly total: number; readonly found: readonly StoredSnapshot[] }> {
  const limit = Math.max(1, input.limit ?? 1);
  const restriction = visibleServers(context.actor);
  const target = { collection: snapshotCollection, table: snapshotSearch, restriction };
  const found: StoredSnapshot[] = [];
  let size = 0;
  for (;;) {
    const offset = (input.offset ?? 0) + found.length;
    const page = await searchPage(context, { ...input, offset, limit: Math.min(BATCH, limit - found.length) }, target);
    for (const row of page.rows) {
      found.push(row);
      size += sizeOf(row);
      if (size >= MAX_SIZE || found.length === limit) return { total: page.total, found };
    }
    if (page.rows.length < BATCH) return { total: page.total, found };
  }
}
