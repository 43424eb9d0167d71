import {
  type Collection,
  ConflictError,
  DuplicateError,
  type IndexTerm,
  isStorableId,
  NotFoundError,
  type ReadCollection,
  type StoredRecord,
} from "@signalbox/core/storage";
import type { SqlRow, SqlSession } from "../dialect.ts";
import { databaseValues, type MovedTerms, movedTerms, ownTerms, plainValues } from "../indexes/index-values.ts";
import { raw } from "../statements.ts";
import { deleteRecords, insertRecords } from "./bulk.ts";
import { type CollectionQueries, TERM_BATCH, termSlots } from "./collection-queries.ts";
import { isLong, nextTurn, recordOf, textOf } from "./documents.ts";
import { findRows } from "./find.ts";

/** Called with each row that is read, before it is handed out. */
type Observe = (row: SqlRow) => void;

/** What a transaction knows about a record: the revision that it first saw, and the row as last read or written. */
export interface SeenRow {
  revision: number;
  row: SqlRow | undefined;
}

const ID_BATCH = 500;

export function kyselyReadCollection<T extends StoredRecord>(
  queries: CollectionQueries,
  session: SqlSession,
  observe?: Observe,
): ReadCollection<T> {
  const decode = (row: SqlRow): T => {
    observe?.(row);
    return recordOf(row);
  };
  return {
    async get(id) {
      if (!isStorableId(id)) return undefined;
      const [row] = (await queries.get(session, { id })).rows;
      // Does not yield while SQLite's writer is held: the host might write to the same file in this thread.
      if (row && !observe && isLong(row["doc"])) await nextTurn();
      return row && decode(row);
    },
    async getMany(ids) {
      const found = new Map<string, SqlRow>();
      const wanted = [...new Set(ids)].filter(isStorableId);
      for (let start = 0; start < wanted.length; start += ID_BATCH) {
        const { rows } = await queries.getMany(session, wanted.slice(start, start + ID_BATCH));
        for (const row of rows) found.set(row["id"] as string, row);
      }
      return ids.map((id) => {
        const row = found.get(id);
        return row && decode(row);
      });
    },
    list: async () => (await queries.list(session)).rows.map(decode),
    async find(where, page = {}) {
      const { rows, total } = await findRows(queries, session, where, page);
      const { fromText } = page;
      if (!fromText) return { rows: rows.map(decode), total };
      if (observe) for (const row of rows) observe(row);
      return { rows: rows.map((row) => fromText(textOf(row)) as T), total };
    },
  };
}

/** Rows kept per transaction, so that changing a record that was just read does not read it again. */
const KEPT_ROWS = 1000;

const keepSeen =
  (seen: Map<string, SeenRow>): Observe =>
  (row) => {
    const id = row["id"] as string;
    const revision = Number(row["revision"]);
    const known = seen.get(id);
    if (!known) seen.set(id, { revision, row: seen.size < KEPT_ROWS ? row : undefined });
    else known.row = known.revision === revision ? row : undefined;
  };

/**
 * A collection within a transaction. `seen` keeps the revision of each record at its first read, for the whole transaction; an
 * UPDATE statement detects a record that has changed since.
 */
export function kyselyCollection<T extends StoredRecord>(
  queries: CollectionQueries,
  session: SqlSession,
  seen: Map<string, SeenRow>,
): Collection<T> {
  const { definition } = queries;
  const observe = keepSeen(seen);
  const insert = async (records: readonly T[], which: string): Promise<void> => {
    if (!(await insertRecords(queries, session, records)))
      throw new DuplicateError(`${definition.noun}${which} exists already, or a unique value of it is taken`);
    for (const { id } of records) seen.set(id, { revision: 1, row: undefined });
  };
  return {
    ...kyselyReadCollection<T>(queries, session, observe),
    insert: (record) => insert([record], ` ${record.id}`),
    insertMany: (records) => insert(records, ": one of many"),
    async update(id, change) {
      const row = seen.get(id)?.row ?? (isStorableId(id) ? (await queries.get(session, { id })).rows[0] : undefined);
      if (!row) throw new NotFoundError("Item not found");
      const revision = Number(row["revision"]);
      observe(row);
      if (seen.get(id)?.revision !== revision) throw changedMeanwhile(queries, id);
      const { next, doc } = await rewrite(queries, session, row, change);
      seen.set(id, { revision: revision + 1, row: { id, revision: revision + 1, doc } });
      return next;
    },
    async delete(id) {
      const [row] = isStorableId(id) ? (await queries.delete(session, { id })).rows : [];
      if (!row) return false;
      seen.delete(id);
      if (queries.hasTerms) await writeTerms(queries, session, id, { remove: ownTerms(definition, recordOf(row)) });
      return true;
    },
    async deleteMany(ids) {
      await deleteRecords(queries, session, ids);
      for (const id of ids) seen.delete(id);
    },
  };
}

const changedMeanwhile = ({ definition }: CollectionQueries, id: string): ConflictError =>
  new ConflictError(`${definition.noun} ${id} was changed meanwhile`, { record: `${definition.name} ${id}` });

async function rewrite<T extends StoredRecord>(
  queries: CollectionQueries,
  session: SqlSession,
  row: SqlRow,
  change: (current: T) => T,
): Promise<{ readonly next: T; readonly doc: string }> {
  const { definition, dialect } = queries;
  const id = row["id"] as string;
  const revision = Number(row["revision"]);
  const current = recordOf<T>(row);
  // Read before the change, because `change` might mutate the record that it receives.
  const oldTerms = ownTerms(definition, current);
  const oldValues = plainValues(definition, current);
  const next = change(current);
  if (next.id !== id) throw new TypeError(`${definition.noun} ${id}: an update must keep the id`);
  const values = databaseValues(dialect, definition, next);
  const doc = JSON.stringify(next);
  // The previous words are not known, so their columns always count as changed.
  const changed = Object.keys(values).filter((column) => values[column] !== oldValues[column]);
  const moved = movedTerms(oldTerms, ownTerms(definition, next));
  const slots = { id, revision, next: revision + 1, doc, ...values };
  const run = (): Promise<number> => writeRow(queries, session, { changed, slots, moved });
  const claims = queries.uniqueColumns.some((column) => changed.includes(column));
  const changes = claims ? await refuseDuplicates(queries, session, id, run) : await run();
  if (changes === 0) throw changedMeanwhile(queries, id);
  return { next, doc };
}

interface RowChange {
  /** Names of columns. */
  readonly changed: readonly string[];
  readonly slots: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly moved: MovedTerms;
}

/** Returns 0 when the record was changed concurrently. */
async function writeRow(
  queries: CollectionQueries,
  session: SqlSession,
  { changed, slots, moved }: RowChange,
): Promise<number> {
  const { remove, add } = moved;
  if (queries.updateWhole && remove.length + add.length > 0) {
    const { rows } = await queries.updateWhole(changed)(session, { ...slots, ...termLists(moved) });
    return Number(rows[0]?.["made"]);
  }
  const { changes } = await queries.update(changed)(session, slots);
  if (changes > 0) await writeTerms(queries, session, slots.id, moved);
  return changes;
}

const termLists = ({ remove, add }: MovedTerms): Record<string, string[]> => ({
  oldFields: remove.map(({ field }) => field),
  oldTerms: remove.map(({ term }) => term),
  newFields: add.map(({ field }) => field),
  newTerms: add.map(({ term }) => term),
});

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

/** Removes and adds terms of one record. */
export async function writeTerms(
  queries: CollectionQueries,
  session: SqlSession,
  id: string,
  { remove = [], add = [] }: Partial<MovedTerms>,
): Promise<void> {
  for (const batch of batches(remove)) await queries.deleteTerms(batch.length)(session, termSlots(id, batch));
  for (const batch of batches(add)) await queries.insertTerms(batch.length)(session, termSlots(id, batch));
}

function* batches(terms: readonly IndexTerm[]): Generator<readonly IndexTerm[]> {
  for (let start = 0; start < terms.length; start += TERM_BATCH) yield terms.slice(start, start + TERM_BATCH);
}
