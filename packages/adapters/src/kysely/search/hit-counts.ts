import type { RawBuilder } from "kysely";
import type { CollectionQueries } from "../collection/collection-queries.ts";
import type { SqlSession } from "../dialect.ts";
import { type Asked, LONGEST_QUESTION } from "../statements.ts";

/** Most totals cached per collection. */
const MAX_KEPT = 500;

/** Totals that hold for one version of a word index. */
interface Kept {
  readonly version: string;
  readonly totals: Map<string, number>;
}

/** The cached totals of a collection; a separate object, because it belongs to one open storage. */
export interface KeptTotals {
  kept?: Kept;
}

/**
 * Number of records that match a query which the word index answers alone. Counting frequent words is most of the cost of a page,
 * and the next page needs the same total, so it is cached until the version of the index changes. Only snapshots use the cache:
 * in a write transaction, the version changes late.
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
