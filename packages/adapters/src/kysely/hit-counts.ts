import type { RawBuilder } from "kysely";
import type { CollectionQueries } from "./collection-queries.ts";
import type { SqlSession } from "./dialect.ts";
import { runOnce } from "./statements.ts";

/** Questions whose totals are kept, of one collection. */
const MAX_KEPT = 500;

/** Totals of a word index as it is. */
interface Kept {
  readonly version: string;
  readonly totals: Map<string, number>;
}

/** The counts kept for one collection; in a place of their own, as they belong to one open storage. */
export interface KeptTotals {
  kept?: Kept;
}

/**
 * How many records fulfil a question that the word index answers by itself. To count frequent words is most of what a
 * page of a search costs, and the next page asks for the same total: it is kept as long as the index
 * says of itself that nothing was written to it. For snapshots alone: in a transaction that writes, the index says so
 * late.
 */
export async function countHits(
  queries: CollectionQueries,
  session: SqlSession,
  statement: RawBuilder<unknown>,
): Promise<number> {
  const { db, dialect, definition } = queries;
  const ask = session.isSnapshot && dialect.text.version?.(`sb_${definition.name}`);
  const version = ask && (await runOnce(db, session, ask)).rows[0]?.["version"];
  if (typeof version !== "string") return countNow(queries, session, statement);
  const { sql, parameters } = statement.compile(db);
  const key = JSON.stringify([sql, parameters]);
  const { totals } = keptFor(queries, version);
  const known = totals.get(key);
  if (known !== undefined) return known;
  const total = await countNow(queries, session, statement);
  if (totals.size >= MAX_KEPT) totals.clear();
  totals.set(key, total);
  return total;
}

function keptFor({ totals }: CollectionQueries, version: string): Kept {
  if (totals.kept?.version !== version) totals.kept = { version, totals: new Map() };
  return totals.kept;
}

export async function countNow(
  { db }: CollectionQueries,
  session: SqlSession,
  statement: RawBuilder<unknown>,
): Promise<number> {
  return Number((await runOnce(db, session, statement)).rows[0]?.["total"]);
}
