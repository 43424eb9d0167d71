import type { AnyCollection, Page, SearchNode } from "@signalbox/core/storage";
import { type RawBuilder, sql } from "kysely";
import type { SqlRow, SqlSession } from "../dialect.ts";
import { columnName, hasWordIndex } from "../indexes/index-values.ts";
import { countHits, countNow } from "../search/hit-counts.ts";
import { lastHits } from "../search/last-hits.ts";
import { shapeOf, textOf, textOfPage, valuesOf } from "../search/question.ts";
import { type AskWords, columnRef, compile } from "../search/search.ts";
import { simplify, splitWords, type WordParts } from "../search/words.ts";
import { type Asked, limitTo, runOnce } from "../statements.ts";
import type { CollectionQueries } from "./collection-queries.ts";

/** SQL takes an offset only together with a limit. */
const NO_LIMIT = 1e15;
/** Documents per statement. */
const BATCH = 500;
/** Hits that the walk expects beyond twice the page: if it finds too few, all of the walk is wasted. */
const SPARE = 8;

/** Consecutive records that can be read at the cost of sorting one hit, which needs a lookup of its record. */
const WORTH = 2;

/** Records are close together if the range of their numbers is at most this many times their count. */
const CLOSE = 8;

interface Found {
  readonly rows: readonly SqlRow[];
  readonly total: number;
}

interface Bounds {
  readonly offset: number;
  /** Undefined = all. */
  readonly limit: number | undefined;
}

/** One page of the records that match a condition, and their total number. */
export function findRows(
  queries: CollectionQueries,
  session: SqlSession,
  where: SearchNode,
  page: Page,
): Promise<Found> {
  const bounds = {
    offset: wholeNumber(page.offset ?? 0),
    limit: page.limit === undefined ? undefined : wholeNumber(page.limit),
  };
  const { sortBy, uncounted = false } = page;
  const node = simplify(queries.definition, where);
  // An unknown column is refused even if nothing matches.
  if (sortBy !== undefined) columnRef(queries.definition, sortBy);
  const order = (): RawBuilder<unknown> => orderOf(queries.definition, page);
  const question = { queries, session, page, order, bounds, uncounted };
  // Without a total and without words, the word index is not needed.
  const parts = splitWords(node);
  const byWords = hasWordIndex(queries.definition) && !(uncounted && parts.words === undefined);
  if (!byWords) return findByColumns(question, node);
  const asked = textOf(node);
  return findByWords({ ...question, asked, pageAsked: `${textOfPage(page)} ${asked}` }, node, parts);
}

interface Question {
  readonly queries: CollectionQueries;
  readonly session: SqlSession;
  readonly page: Page;
  readonly order: () => RawBuilder<unknown>;
  readonly bounds: Bounds;
  readonly uncounted: boolean;
}

interface WordQuestion extends Question {
  /** The condition as text, alone and with the requested page. */
  readonly asked: string;
  readonly pageAsked: string;
}

async function findByColumns(question: Question, node: SearchNode): Promise<Found> {
  const { queries, session, order, bounds, uncounted } = question;
  const { dialect, definition, table } = queries;
  const { offset, limit } = bounds;
  const asked = askedOf(definition, node);
  const condition = () => compile({ dialect, definition, ask: dialect.text.match }, node);
  const select = () => sql`select id, revision, ${dialect.documentText} as doc from ${table} where ${condition()}
    order by ${order()} ${boundsOf(bounds)}`;
  const rows = limit === 0 ? [] : (await queries.ask(session, pageOf(asked, question), select)).rows;
  const reachedEnd = limit === undefined || rows.length < limit;
  if (uncounted || (reachedEnd && (rows.length > 0 || offset === 0))) return { rows, total: offset + rows.length };
  const make = () => sql`select count(*) as total from ${table} where ${condition()}`;
  return { rows, total: await countNow(queries, session, { asked, make }) };
}

/** The key of a condition. Without a word index the key has placeholders, and the values are passed separately. */
const askedOf = (definition: AnyCollection, node: SearchNode): Asked =>
  hasWordIndex(definition)
    ? { text: textOf(node) }
    : { text: shapeOf(definition, node), values: valuesOf(definition, node) };

function pageOf({ text, values }: Asked, { page, bounds }: Question): Asked {
  if (!values) return { text: `page ${textOfPage(page)} ${text}` };
  const limits = limitsOf(bounds);
  const order = textOfPage({ ...page, offset: limits.length, limit: 0 });
  return { text: `page ${order} ${text}`, values: [...values, ...limits] };
}

/**
 * Searches with the word index. Hits are numerous and documents large, so this first counts the hits, then finds the numbers of
 * the page's records in narrow indexes, and reads only their documents.
 */
async function findByWords(question: WordQuestion, node: SearchNode, parts: WordParts): Promise<Found> {
  const { queries, session, bounds } = question;
  const { text } = queries.dialect;
  const indexFirst: typeof text.indexFirst = (on, work) =>
    parts.words === undefined ? work() : text.indexFirst(on, work);
  const total = await indexFirst(session, () => totalOf(question, node, parts));
  const wanted = Math.min(total - bounds.offset, bounds.limit ?? total);
  if (wanted <= 0) return { rows: [], total };
  let last: Promise<number> | undefined;
  const hits = { total, wanted, last: () => (last ??= lastNumber(queries, session)) };
  const near = (await newest(question, parts, hits)) ?? (await walk(question, node, hits));
  const numbers = near ?? (await indexFirst(session, () => sortHits(question, node)));
  return { rows: await readRows(queries, session, numbers), total };
}

function totalOf(
  { queries, session, asked }: WordQuestion,
  node: SearchNode,
  { words, rest }: WordParts,
): Promise<number> {
  const { dialect, definition, table } = queries;
  const name = `sb_${definition.name}`;
  if (words && rest.kind === "all")
    return countHits(queries, session, { asked, make: () => dialect.text.count(name, words) });
  const condition = () => compile({ dialect, definition, ask: dialect.text.match }, node);
  const make = () => sql`select count(*) as total from ${table} ${dialect.text.narrow(name)} where ${condition()}`;
  return countNow(queries, session, { asked: { text: asked }, make });
}

interface Hits {
  readonly total: number;
  readonly wanted: number;
  /** The number of the last record, looked up once. */
  readonly last: () => Promise<number>;
}

/** The page of the newest hits by id, if hits are so frequent that not all must be gathered. */
async function newest(
  { queries, session, pageAsked, page: { sortBy, descending }, bounds }: WordQuestion,
  { words, rest }: WordParts,
  { total, wanted, last }: Hits,
): Promise<readonly number[] | undefined> {
  const most = mostSteps(queries, total);
  const { offset } = bounds;
  if (sortBy !== "id" || !descending || !words || rest.kind !== "all") return undefined;
  if (!queries.dialect.text.last || 2 * (offset + wanted) > total) return undefined;
  const steps = ((offset + wanted) * (await last())) / total;
  return 2 * steps > most
    ? undefined
    : lastHits(queries, session, { asked: pageAsked, words, offset, limit: wanted, most });
}

/** Most records worth scanning instead of gathering `total` hits. */
const mostSteps = ({ dialect }: CollectionQueries, total: number): number =>
  Math.min(WORTH * total, dialect.text.walk.most);

const lastNumber = async ({ lastNumber }: CollectionQueries, session: SqlSession): Promise<number> =>
  Number((await lastNumber(session)).rows[0]?.["last"]);

/**
 * Scans the first records in the order of the page, if hits are so frequent that a few records should suffice. Undefined if that
 * does not pay, since a few hits are sorted faster, or if the scanned records contain too few hits.
 */
async function walk(
  { queries, session, page: { sortBy }, order, bounds }: Question,
  node: SearchNode,
  { total, wanted, last }: Hits,
): Promise<readonly number[] | undefined> {
  const { db, dialect, definition, table } = queries;
  const { text } = dialect;
  const isUnique = sortBy !== undefined && definition.columns?.[sortBy]?.unique === true;
  const most = Math.min(mostSteps(queries, total), isUnique ? text.walk.unique : text.walk.most);
  const least = 2 * (bounds.offset + wanted) + SPARE;
  if (least > most) return undefined;
  const steps = Math.ceil((least * (await last())) / total);
  if (steps > most) return undefined;
  // Reads only indexed columns, as far as the condition allows.
  const fields = new Set([...comparedFields(node), ...(sortBy === undefined ? [] : [sortBy])]);
  fields.delete("id");
  const columns = ["seq", "id", ...Array.from(fields, columnName), ...text.walk.columns].map((column) =>
    sql.id(column),
  );
  const ask = await cheapestAsk({ queries, session, order, steps, total });
  const condition = compile({ dialect, definition, ask }, node);
  const select = sql`select seq from (select ${sql.join(columns)} from ${table} order by ${order()} ${limitTo(steps)}) as near
    where ${condition} order by ${order()} ${boundsOf(bounds)}`;
  const { rows } = await runOnce(db, session, select);
  return rows.length === wanted ? rows.map(({ seq }) => Number(seq)) : undefined;
}

interface Steps extends Pick<Question, "queries" | "session" | "order"> {
  readonly steps: number;
  readonly total: number;
}

/**
 * Chooses how to test the scanned records: gathers all hits if they are few, gathers the hits in a range if the records are close
 * together, or looks up each record.
 */
async function cheapestAsk({ queries, session, order, steps, total }: Steps): Promise<AskWords> {
  const { db, dialect, table } = queries;
  const { walk: costs, match, probe, within } = dialect.text;
  if (steps * costs.probeCost >= total) return match;
  const near = sql`select seq from ${table} order by ${order()} ${limitTo(steps)}`;
  const ends = sql`select min(seq) as low, max(seq) as high from (${near}) as near`;
  const [row] = (await runOnce(db, session, ends)).rows;
  const range = { low: Number(row?.["low"]), high: Number(row?.["high"]) };
  const isClose = range.high - range.low < CLOSE * steps;
  return isClose ? (name, query) => within(name, query, range) : probe;
}

function comparedFields(node: SearchNode): string[] {
  if (node.kind === "not") return comparedFields(node.node);
  if (node.kind === "and" || node.kind === "or") return node.nodes.flatMap(comparedFields);
  return node.kind === "compare" ? [node.field] : [];
}

async function sortHits(
  { queries, session, pageAsked, order, bounds }: WordQuestion,
  node: SearchNode,
): Promise<number[]> {
  const { dialect, definition, table } = queries;
  const select = () => {
    const narrow = dialect.text.narrow(`sb_${definition.name}`);
    const condition = compile({ dialect, definition, ask: dialect.text.match }, node);
    return sql`select seq from ${table} ${narrow} where ${condition} order by ${order()} ${boundsOf(bounds)}`;
  };
  return (await queries.ask(session, { text: `sort ${pageAsked}` }, select)).rows.map(({ seq }) => Number(seq));
}

async function readRows(
  { getNumbered }: CollectionQueries,
  session: SqlSession,
  numbers: readonly number[],
): Promise<SqlRow[]> {
  const found = new Map<number, SqlRow>();
  for (let start = 0; start < numbers.length; start += BATCH) {
    const batch = numbers.slice(start, start + BATCH);
    for (const row of (await getNumbered(session, batch)).rows) found.set(Number(row["seq"]), row);
  }
  return numbers.map((number) => found.get(number)).filter((row) => row !== undefined);
}

function boundsOf(bounds: Bounds): RawBuilder<unknown> {
  const [limit, offset] = limitsOf(bounds);
  return limit === undefined ? sql`` : sql`${limitTo(limit)} offset ${offset}`;
}

const limitsOf = ({ offset, limit }: Bounds): readonly number[] =>
  limit === undefined && offset === 0 ? [] : [limit ?? NO_LIMIT, offset];

/** Null sorts before all values in ascending order, and last in descending order; PostgreSQL's default is the opposite. */
function orderOf(definition: AnyCollection, { sortBy, descending = false }: Page): RawBuilder<unknown> {
  if (sortBy === undefined) return descending ? sql`seq desc` : sql`seq`;
  const column = columnRef(definition, sortBy);
  if (sortBy === "id") return descending ? sql`${column} desc` : column;
  return descending ? sql`${column} desc nulls last, id desc` : sql`${column} asc nulls first, id`;
}

const wholeNumber = (value: number): number => Math.max(0, Math.floor(value));
