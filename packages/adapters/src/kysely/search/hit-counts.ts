import type { RawBuilder } from "kysely";
import type { CollectionQueries } from "../collection/collection-queries.ts";
import type { SqlSession } from "../dialect.ts";
import { type Asked, LONGEST_QUESTION } from "../statements.ts";

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
 * Number of records that fulfil a question which the word index answers by itself. Counting frequent words is most of
 * the cost of a page of a search, and the next page asks for the same total: it is kept until the version of the index
 * shows a write. For snapshots alone: in a transaction that writes, the version changes late.
 */
export async function countHits(
  queries: CollectionQueries,
  session: SqlSession,
  { asked, make }: Count<string>,
): Promise<number> {
  const ask = session.isSnapshot && asked.length <= LONGEST_QUESTION ? queries.wordVersion : undefined;
  const version = (await ask?.(session))?.rows[0]?.["version"];
  if (typeof version !== "string") return countNow(queries, session, { asked: { text: asked }, make });
  const { totals } = keptFor(queries, version);
  const known = totals.get(asked);
  if (known !== undefined) return known;
  const total = await countNow(queries, session, { asked: { text: asked }, make });
  if (totals.size >= MAX_KEPT) totals.clear();
  totals.set(asked, total);
  return total;
}

/** A condition, and the statement that counts its matches as `total`. */
export interface Count<A> {
  readonly asked: A;
  readonly make: () => RawBuilder<unknown>;
}

function keptFor({ totals }: CollectionQueries, version: string): Kept {
  if (totals.kept?.version !== version) totals.kept = { version, totals: new Map() };
  return totals.kept;
}

export async function countNow(
  { ask }: CollectionQueries,
  session: SqlSession,
  { asked, make }: Count<Asked>,
): Promise<number> {
  return Number((await ask(session, { ...asked, text: `count ${asked.text}` }, make)).rows[0]?.["total"]);
}
