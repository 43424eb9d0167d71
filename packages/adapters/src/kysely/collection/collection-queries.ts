import type { AnyCollection, IndexTerm } from "@signalbox/core/storage";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { SqlDialect, Tables } from "../dialect.ts";
import { columnName, hasTerms, hasWordIndex, wordColumns } from "../indexes/index-values.ts";
import type { KeptTotals } from "../search/hit-counts.ts";
import {
  type Ask,
  keepQuestions,
  limitTo,
  type Prepared,
  type PreparedList,
  place,
  prepare,
  prepareLists,
  slot,
  tableRef,
} from "../statements.ts";
import { type BulkQueries, compileBulk } from "./bulk.ts";

/** The statements of a collection that have a fixed text; each is compiled once. */
export interface CollectionQueries {
  readonly definition: AnyCollection;
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly table: RawBuilder<unknown>;
  readonly hasTerms: boolean;
  readonly uniqueColumns: readonly string[];
  readonly get: Prepared;
  readonly list: Prepared;
  /** Returns the first records: one more than may be listed in one turn, if there are that many. */
  readonly first: Prepared;
  /** Returns one row unless the table is empty. */
  readonly some: Prepared;
  /** Takes ids. */
  readonly getMany: PreparedList;
  /** Takes numbers; returns each as `seq`. */
  readonly getNumbered: PreparedList;
  /** Returns the number of the last record as `last`. */
  readonly lastNumber: Prepared;
  /** Counts records with an `id` above the given one, up to `most`, as `many`; returns the lowest of their numbers as `low`. */
  readonly above: Prepared;
  /** Returns the state of the word index as `version`, if the dialect has one. */
  readonly wordVersion?: Prepared;
  /** Runs statements whose text depends on the query. */
  readonly ask: Ask;
  /** Sets only these columns and the document, because SQLite writes every index whose column is set, changed or not. */
  update(columns: readonly string[]): Prepared;
  /**
   * Updates a record with its terms in one statement, if the dialect can. Removed and added terms are lists in `oldFields`,
   * `oldTerms`, `newFields` and `newTerms`. Returns the number of records as `made`.
   */
  updateWhole?(columns: readonly string[]): Prepared;
  readonly delete: Prepared;
  /** Writes the columns of one record and nothing else. */
  readonly reindex: Prepared;
  /** Inserts 1 to `TERM_BATCH` terms, from the slots `f0`, `t0`, `f1` … */
  insertTerms(count: number): Prepared;
  deleteTerms(count: number): Prepared;
  readonly bulk: BulkQueries;
  readonly totals: KeptTotals;
}

export const TERM_BATCH = 16;

/** Records that are listed in one turn of the event loop. */
export const MAX_AT_ONCE = 250;

export function compileCollection(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  definition: AnyCollection,
): CollectionQueries {
  const name = `sb_${definition.name}`;
  const table = tableRef(dialect, name);
  const columns = [...Object.keys(definition.columns ?? {}).map(columnName), ...wordColumns(dialect, definition)];
  const doc = dialect.documentText;
  // An UPDATE must set at least one column.
  const columnSlots = () => (columns.length > 0 ? slotsOf(columns) : { revision: sql.ref("revision") });
  return {
    definition,
    db,
    dialect,
    table,
    hasTerms: hasTerms(definition),
    uniqueColumns: uniqueColumns(definition),
    get: prepare(db, () => sql`select id, revision, ${doc} as doc from ${table} where id = ${slot("id")}`),
    list: prepare(db, () => sql`select id, revision, ${doc} as doc from ${table} order by seq`),
    first: prepare(
      db,
      () => sql`select id, revision, ${doc} as doc from ${table} order by seq limit ${sql.lit(MAX_AT_ONCE + 1)}`,
    ),
    some: prepare(db, () => sql`select 1 as one from ${table} limit 1`),
    ...compilePages(db, dialect, definition),
    ...compileUpdates(db, dialect, definition, columns),
    reindex: prepare(db, () => db.updateTable(name).set(columnSlots()).where("id", "=", slot("id"))),
    delete: prepare(db, () => sql`delete from ${table} where id = ${slot("id")} returning id, ${doc} as doc`),
    ...compileTerms(db, tableRef(dialect, `${name}_terms`)),
    bulk: compileBulk(db, dialect, definition),
    totals: {},
  };
}

/** Statements that read pages of records. */
function compilePages(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  definition: AnyCollection,
): Pick<CollectionQueries, "getMany" | "getNumbered" | "lastNumber" | "above" | "wordVersion" | "ask"> {
  const name = `sb_${definition.name}`;
  const table = tableRef(dialect, name);
  const doc = dialect.documentText;
  const places = (count: number): RawBuilder<unknown> => sql.join(Array.from({ length: count }, () => place));
  const above = () => sql`select seq from ${table} where id > ${slot("id")} order by id ${limitTo(slot("most"))}`;
  const version = hasWordIndex(definition) && dialect.text.version?.(name);
  return {
    getMany: prepareLists(
      db,
      (count) => sql`select id, revision, ${doc} as doc from ${table} where id in (${places(count)})`,
    ),
    getNumbered: prepareLists(
      db,
      (count) => sql`select seq, id, revision, ${doc} as doc from ${table} where seq in (${places(count)})`,
    ),
    lastNumber: prepare(db, () => sql`select max(seq) as last from ${table}`),
    above: prepare(db, () => sql`select count(*) as many, min(seq) as low from (${above()}) as above`),
    ...(version ? { wordVersion: prepare(db, version) } : {}),
    ask: keepQuestions(db),
  };
}

/** Most sets of columns per collection whose statements are kept; records change in few different ways. */
const MOST_UPDATES = 32;

const slotsOf = (columns: readonly string[]): Readonly<Record<string, RawBuilder<never>>> =>
  Object.fromEntries(columns.map((column) => [column, slot(column)]));

function compileUpdates(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  definition: AnyCollection,
  columns: readonly string[],
): Pick<CollectionQueries, "update" | "updateWhole"> {
  const name = `sb_${definition.name}`;
  const updateOf = (changed: readonly string[]) =>
    db
      .updateTable(name)
      .set({ revision: slot("next"), doc: slot("doc"), ...slotsOf(changed) })
      .where("id", "=", slot("id"))
      .where("revision", "=", slot("revision"));
  const terms = tableRef(dialect, `${name}_terms`);
  return {
    update: keepUpdates(columns, (changed) => prepare(db, () => updateOf(changed))),
    ...(dialect.writesInWith && hasTerms(definition)
      ? {
          updateWhole: keepUpdates(columns, (changed) =>
            prepare(db, () => movingTerms(sql`${updateOf(changed)} returning id`, terms)),
          ),
        }
      : {}),
  };
}

const entries = (which: "old" | "new"): RawBuilder<unknown> =>
  sql`unnest(${slot(`${which}Fields`)}::text[], ${slot(`${which}Terms`)}::text[]) as entry (field, term)`;

const movingTerms = (update: RawBuilder<unknown>, terms: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`with made as (${update}), gone as (
      delete from ${terms} as said using ${entries("old")}, made
      where said.field = entry.field and said.term = entry.term and said.id = made.id), said as (
      insert into ${terms} (field, term, id) select entry.field, entry.term, made.id
      from ${entries("new")}, made on conflict do nothing)
    select count(*) as made from made`;

function keepUpdates(
  all: readonly string[],
  make: (columns: readonly string[]) => Prepared,
): CollectionQueries["update"] {
  const known = new Map<string, Prepared>();
  const whole = make(all);
  return (columns) => {
    const key = columns.join();
    const kept = known.get(key);
    if (kept) return kept;
    if (known.size >= MOST_UPDATES) return whole;
    const made = make(columns);
    known.set(key, made);
    return made;
  };
}

const uniqueColumns = ({ columns = {} }: AnyCollection): string[] =>
  Object.keys(columns)
    .filter((name) => columns[name]?.unique)
    .map(columnName);

function compileTerms(
  db: Kysely<Tables>,
  table: RawBuilder<unknown>,
): Pick<CollectionQueries, "insertTerms" | "deleteTerms"> {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_unused, index) => index);
  const inserts: Prepared[] = [];
  const deletes: Prepared[] = [];
  const insertFor = (count: number): Prepared => {
    const rows = numbers(count).map((n) => sql`(${slot(`f${n}`)}, ${slot(`t${n}`)}, ${slot("id")})`);
    return prepare(db, sql`insert into ${table} (field, term, id) values ${sql.join(rows)} on conflict do nothing`);
  };
  const deleteFor = (count: number): Prepared => {
    const rows = numbers(count).map((n) => sql`(field = ${slot(`f${n}`)} and term = ${slot(`t${n}`)})`);
    return prepare(db, sql`delete from ${table} where id = ${slot("id")} and (${sql.join(rows, sql` or `)})`);
  };
  return {
    insertTerms: (count) => (inserts[count] ??= insertFor(count)),
    deleteTerms: (count) => (deletes[count] ??= deleteFor(count)),
  };
}

/** The values of the slots for a batch of terms. */
export function termSlots(id: string, batch: readonly IndexTerm[]): Record<string, string> {
  const values: Record<string, string> = { id };
  for (const [index, { field, term }] of batch.entries()) {
    values[`f${index}`] = field;
    values[`t${index}`] = term;
  }
  return values;
}
