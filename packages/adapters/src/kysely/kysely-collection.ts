import {
  type AnyCollection,
  type Collection,
  ConflictError,
  DuplicateError,
  isStorableId,
  NotFoundError,
  type Page,
  type ReadCollection,
  type SearchNode,
  type StoredRecord,
} from "@signalbox/core";
import { type RawBuilder, sql } from "kysely";
import { type CollectionQueries, TERM_BATCH, termSlots } from "./collection-queries.ts";
import type { SqlRow, SqlSession } from "./dialect.ts";
import { databaseValues, type Term, termsOf } from "./index-values.ts";
import { columnRef, compileSearch } from "./search.ts";
import { raw, runOnce } from "./statements.ts";

/** Called with each row that is read, before it is handed out. */
type Observe = (id: string, revision: number) => void;

const ID_BATCH = 500;
/** SQL takes an offset only together with a limit. */
const NO_LIMIT = 1e15;

export function kyselyReadCollection<T extends StoredRecord>(
  queries: CollectionQueries,
  session: SqlSession,
  observe?: Observe,
): ReadCollection<T> {
  const decode = (row: SqlRow): T => {
    observe?.(row["id"] as string, Number(row["revision"]));
    return JSON.parse(row["doc"] as string);
  };
  return {
    async get(id) {
      if (!isStorableId(id)) return undefined;
      const [row] = (await queries.get(session, { id })).rows;
      return row && decode(row);
    },
    async getMany(ids) {
      const found = new Map<string, SqlRow>();
      const wanted = [...new Set(ids)].filter(isStorableId);
      for (let start = 0; start < wanted.length; start += ID_BATCH)
        for (const row of await selectByIds(queries, session, wanted.slice(start, start + ID_BATCH)))
          found.set(row["id"] as string, row);
      return ids.map((id) => {
        const row = found.get(id);
        return row && decode(row);
      });
    },
    list: async () => (await queries.list(session)).rows.map(decode),
    async find(where, page = {}) {
      const { rows, total } = await findRows(queries, session, where, page);
      return { rows: rows.map(decode), total };
    },
  };
}

async function selectByIds(
  { db, dialect, table }: CollectionQueries,
  session: SqlSession,
  ids: readonly string[],
): Promise<readonly SqlRow[]> {
  const doc = dialect.documentText;
  const query = sql`select id, revision, ${doc} as doc from ${table} where id in (${sql.join(ids)})`;
  return (await runOnce(db, session, query)).rows;
}

async function findRows(
  { db, dialect, definition, table }: CollectionQueries,
  session: SqlSession,
  where: SearchNode,
  page: Page,
): Promise<{ rows: readonly SqlRow[]; total: number }> {
  const offset = wholeNumber(page.offset ?? 0);
  const limit = page.limit === undefined ? undefined : wholeNumber(page.limit);
  const condition = compileSearch(dialect, definition, where);
  const bounds = limit === undefined && offset === 0 ? sql`` : sql`limit ${limit ?? NO_LIMIT} offset ${offset}`;
  const select = sql`select id, revision, ${dialect.documentText} as doc from ${table} where ${condition}
    order by ${orderOf(definition, page)} ${bounds}`;
  const rows = limit === 0 ? [] : (await runOnce(db, session, select)).rows;
  const reachedEnd = limit === undefined || rows.length < limit;
  if (reachedEnd && (rows.length > 0 || offset === 0)) return { rows, total: offset + rows.length };
  const count = await runOnce(db, session, sql`select count(*) as total from ${table} where ${condition}`);
  return { rows, total: Number(count.rows[0]?.["total"]) };
}

/** Null comes first going up, hence last going down; PostgreSQL would do the opposite. */
function orderOf(definition: AnyCollection, { sortBy, descending = false }: Page): RawBuilder<unknown> {
  if (sortBy === undefined) return descending ? sql`seq desc` : sql`seq`;
  const column = columnRef(definition, sortBy);
  return descending ? sql`${column} desc nulls last, id desc` : sql`${column} asc nulls first, id`;
}

const wholeNumber = (value: number): number => Math.max(0, Math.floor(value));

/** `revisions` remembers, for the whole transaction, what each record's revision was when it was first read. */
export function kyselyCollection<T extends StoredRecord>(
  queries: CollectionQueries,
  session: SqlSession,
  revisions: Map<string, number>,
): Collection<T> {
  const { definition } = queries;
  const observe: Observe = (id, revision) => {
    if (!revisions.has(id)) revisions.set(id, revision);
  };
  return {
    ...kyselyReadCollection<T>(queries, session, observe),
    async insert(record) {
      const { id } = record;
      if (!isStorableId(id)) throw new TypeError(`${definition.noun}: the id cannot be stored`);
      const values = { id, doc: JSON.stringify(record), ...databaseValues(definition, record) };
      const { changes } = await queries.insert(session, values);
      if (changes === 0)
        throw new DuplicateError(`${definition.noun} ${id} exists already, or a unique value of it is taken`);
      revisions.set(id, 1);
      await writeTerms(queries, session, id, { add: termsOf(definition, record) });
    },
    async update(id, change) {
      const [row] = isStorableId(id) ? (await queries.get(session, { id })).rows : [];
      if (!row) throw new NotFoundError("Item not found");
      const revision = Number(row["revision"]);
      observe(id, revision);
      if (revisions.get(id) !== revision) throw changedMeanwhile(queries, id);
      const next = await rewrite(queries, session, row, change);
      revisions.set(id, revision + 1);
      return next;
    },
    async delete(id) {
      const [row] = isStorableId(id) ? (await queries.delete(session, { id })).rows : [];
      if (!row) return false;
      revisions.delete(id);
      if (queries.hasTerms) {
        const remove = termsOf(definition, JSON.parse(row["doc"] as string));
        await writeTerms(queries, session, id, { remove });
      }
      return true;
    },
  };
}

const changedMeanwhile = ({ definition }: CollectionQueries, id: string): ConflictError =>
  new ConflictError(`${definition.noun} ${id} was changed meanwhile`);

async function rewrite<T extends StoredRecord>(
  queries: CollectionQueries,
  session: SqlSession,
  row: SqlRow,
  change: (current: T) => T,
): Promise<T> {
  const { definition } = queries;
  const id = row["id"] as string;
  const revision = Number(row["revision"]);
  const current: T = JSON.parse(row["doc"] as string);
  // Read before the change: a careless `change` may write into the record it was given.
  const oldTerms = termsOf(definition, current);
  const oldValues = databaseValues(definition, current);
  const next = change(current);
  if (next.id !== id) throw new TypeError(`${definition.noun} ${id}: an update must keep the id`);
  const values = databaseValues(definition, next);
  const run = (): Promise<{ changes: number }> =>
    queries.update(session, { id, revision, next: revision + 1, doc: JSON.stringify(next), ...values });
  const claims = queries.uniqueColumns.some((column) => values[column] !== oldValues[column]);
  const { changes } = claims ? await refuseDuplicates(queries, session, id, run) : await run();
  if (changes === 0) throw changedMeanwhile(queries, id);
  await replaceTerms(queries, session, id, oldTerms, termsOf(definition, next));
  return next;
}

/** A unique violation ends a PostgreSQL transaction unless a savepoint was set before. */
async function refuseDuplicates<R>(
  { definition, dialect }: CollectionQueries,
  session: SqlSession,
  id: string,
  run: () => Promise<R>,
): Promise<R> {
  await session.run(raw("savepoint sb_unique"), []);
  try {
    const result = await run();
    await session.run(raw("release savepoint sb_unique"), []);
    return result;
  } catch (error) {
    if (!dialect.isUniqueViolation(error)) throw error;
    await session.run(raw("rollback to savepoint sb_unique"), []);
    await session.run(raw("release savepoint sb_unique"), []);
    throw new DuplicateError(`${definition.noun} ${id}: a unique value is taken`, { cause: error });
  }
}

async function replaceTerms(
  queries: CollectionQueries,
  session: SqlSession,
  id: string,
  before: readonly Term[],
  after: readonly Term[],
): Promise<void> {
  if (!queries.hasTerms) return;
  const lacks = (list: readonly Term[]) => {
    const keys = new Set(list.map(({ field, term }) => `${field} ${term}`));
    return ({ field, term }: Term) => !keys.has(`${field} ${term}`);
  };
  await writeTerms(queries, session, id, { remove: before.filter(lacks(after)), add: after.filter(lacks(before)) });
}

/** Removes and adds terms of one record. */
export async function writeTerms(
  queries: CollectionQueries,
  session: SqlSession,
  id: string,
  { remove = [], add = [] }: { remove?: readonly Term[]; add?: readonly Term[] },
): Promise<void> {
  for (const batch of batches(remove)) await queries.deleteTerms(batch.length)(session, termSlots(id, batch));
  for (const batch of batches(add)) await queries.insertTerms(batch.length)(session, termSlots(id, batch));
}

function* batches(terms: readonly Term[]): Generator<readonly Term[]> {
  for (let start = 0; start < terms.length; start += TERM_BATCH) yield terms.slice(start, start + TERM_BATCH);
}
