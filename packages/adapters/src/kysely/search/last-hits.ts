import { sql } from "kysely";
import type { CollectionQueries } from "../collection/collection-queries.ts";
import type { SqlSession, WordQuery } from "../dialect.ts";

/** Hits beyond the page: writers at the same time get ids in one order and numbers in another. */
const SPARE = 8;

/** A page of the newest hits by id. */
interface LastPage {
  /** The question as a text. */
  readonly asked: string;
  readonly words: WordQuery;
  readonly offset: number;
  readonly limit: number;
  /** Records that may be looked through to find out whether their ids go with their numbers. */
  readonly most: number;
}

/**
 * The numbers of a page that lists the hits of a word index by falling ids. The index finds its last hits without
 * looking at the others, by their numbers; records are numbered as they come, and ids grow with the time, so these are
 * the page unless a record has come late. That is looked for: a hit that is missing has an id above the last of the
 * page and a number below all that were found. Undefined when there may be such a hit.
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
