import { sql } from "kysely";
import type { CollectionQueries } from "../collection/collection-queries.ts";
import type { SqlSession, WordQuery } from "../dialect.ts";

/** Hits read beyond the page: concurrent writers may get ids in one order and numbers in another. */
const SPARE = 8;

/** A page of the newest hits by id. */
interface LastPage {
  /** The query as text. */
  readonly asked: string;
  readonly words: WordQuery;
  readonly offset: number;
  readonly limit: number;
  /** Most records to scan to check that their ids and numbers have the same order. */
  readonly most: number;
}

/**
 * The numbers of the records on a page of hits by descending id. The index finds its last hits by number without reading the
 * others. Records are numbered on arrival and ids grow with time, so these hits are the page unless a record came late. To
 * exclude that, this looks for a record whose id is above the last of the page, but whose number is below all that were found.
 * Undefined when there may be such a record.
 */
export async function lastHits(
  { ask, above, dialect, definition, table }: CollectionQueries,
  session: SqlSession,
  { asked, words, offset, limit, most }: LastPage,
): Promise<number[] | undefined> {
  const end = offset + limit;
  const { last } = dialect.text;
  if (!last) return undefined;
  const select = () =>
    sql`select seq, id from ${table} where seq in (${last(`sb_${definition.name}`, words, end + SPARE)}) order by id desc`;
  const { rows } = await ask(session, { text: `last ${asked}` }, select);
  const oldest = rows[end - 1];
  if (!oldest) return undefined;
  const [seen] = (await above(session, { id: oldest["id"], most: most + 1 })).rows;
  const numbers = rows.map(({ seq }) => Number(seq));
  const isWhole = Number(seen?.["many"]) <= most;
  const isOrdered = seen?.["low"] === null || Number(seen?.["low"]) >= Math.min(...numbers);
  return isWhole && isOrdered ? numbers.slice(offset, end) : undefined;
}
