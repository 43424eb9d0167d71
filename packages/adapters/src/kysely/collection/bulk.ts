import { type AnyCollection, type IndexTerm, isStorableId, type StoredRecord } from "@signalbox/core/storage";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { SqlDialect, SqlSession, Tables } from "../dialect.ts";
import { columnName, databaseValues, hasTerms, ownTerms, wordColumns } from "../indexes/index-values.ts";
import { type PreparedList, place, prepareList, tableRef } from "../statements.ts";
import { recordOf } from "./documents.ts";

/** Statements for many records at once, compiled by the number of records. */
export interface BulkQueries {
  /** Columns other than id, revision and document, in the order of their values. */
  readonly columns: readonly string[];
  /** The values of each row: id, document, declared columns, words. */
  insertRows(count: number): PreparedList;
  /**
   * Inserts records with all their terms; the parameters end with three lists: fields, terms and ids. Returns the number of rows
   * as `made`.
   */
  insertWhole?(count: number): PreparedList;
  /** Takes ids. If the collection has terms, returns the documents, so that their terms can be deleted too. */
  deleteRows(count: number): PreparedList;
  /** Takes field, term and id of each term. */
  insertPairs(count: number): PreparedList;
  deletePairs(count: number): PreparedList;
  /** Deletes all terms at once; takes three lists: fields, terms and ids. */
  readonly deleteListed?: PreparedList;
}

/** Batch sizes: two large ones and all small ones, so that few statements are prepared. Far below the bound on parameters. */
const SIZES = [64, 16] as const;

export function compileBulk(db: Kysely<Tables>, dialect: SqlDialect, definition: AnyCollection): BulkQueries {
  const table = tableRef(dialect, `sb_${definition.name}`);
  const terms = tableRef(dialect, `sb_${definition.name}_terms`);
  const columns = [...Object.keys(definition.columns ?? {}).map(columnName), ...wordColumns(dialect, definition)];
  const insert = (count: number) => {
    const names = sql.join(["id", "revision", "doc", ...columns].map((name) => sql.id(name)));
    const row = sql`(${sql.join([place, sql`1`, place, ...columns.map(() => place)])})`;
    return sql`insert into ${table} (${names}) values ${sql.join(times(row, count))} on conflict do nothing`;
  };
  const answered = hasTerms(definition) ? sql`returning id, ${dialect.documentText} as doc` : sql``;
  return {
    columns,
    insertRows: bySize((count) => prepareList(db, insert(count))),
    ...(dialect.writesInWith && hasTerms(definition)
      ? {
          insertWhole: bySize((count) => prepareList(db, withTerms(insert(count), terms))),
          deleteListed: prepareList(
            db,
            sql`delete from ${terms} as said using ${listed}
              where said.field = entry.field and said.term = entry.term and said.id = entry.id`,
          ),
        }
      : {}),
    deleteRows: bySize((count) =>
      prepareList(db, sql`delete from ${table} where id in (${sql.join(times(place, count))}) ${answered}`),
    ),
    insertPairs: bySize((count) => {
      const rows = times(sql`(${place}, ${place}, ${place})`, count);
      return prepareList(
        db,
        sql`insert into ${terms} (field, term, id) values ${sql.join(rows)} on conflict do nothing`,
      );
    }),
    deletePairs: bySize((count) =>
      prepareList(db, sql`delete from ${terms} where ${sql.join(times(pair, count), sql` or `)}`),
    ),
  };
}

const pair = sql`(field = ${place} and term = ${place} and id = ${place})`;

const times = <T>(part: T, count: number): T[] => Array.from({ length: count }, () => part);

const listed = sql`unnest(${place}::text[], ${place}::text[], ${place}::text[])
  as entry (field, term, id)`;

const withTerms = (insert: RawBuilder<unknown>, terms: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`with made as (${insert} returning id), said as (
      insert into ${terms} (field, term, id) select entry.field, entry.term, entry.id
      from ${listed} where entry.id in (select id from made) on conflict do nothing)
    select count(*) as made from made`;

function bySize(compile: (count: number) => PreparedList): (count: number) => PreparedList {
  const compiled: PreparedList[] = [];
  return (count) => (compiled[count] ??= compile(count));
}

function* portions<T>(items: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (const size of SIZES) for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  if (start < items.length) yield items.slice(start);
}

interface PlacedTerm extends IndexTerm {
  readonly id: string;
}

interface Target {
  readonly dialect: SqlDialect;
  readonly definition: AnyCollection;
  readonly hasTerms: boolean;
  readonly bulk: BulkQueries;
}

/** False when an id or a unique value is taken. */
export async function insertRecords(
  target: Target,
  session: SqlSession,
  records: readonly StoredRecord[],
): Promise<boolean> {
  const { definition, hasTerms, bulk } = target;
  if (!records.every(({ id }) => isStorableId(id))) throw new TypeError(`${definition.noun}: an id cannot be stored`);
  for (const portion of portions(records)) {
    const values = rowValues(target, portion);
    const made = bulk.insertWhole
      ? await insertWhole(bulk.insertWhole(portion.length), session, values, placedTerms(definition, portion))
      : (await bulk.insertRows(portion.length)(session, values)).changes;
    if (made !== portion.length) return false;
  }
  if (hasTerms && !bulk.insertWhole) await eachPair(bulk.insertPairs, session, placedTerms(definition, records));
  return true;
}

/** Inserts records with one statement. Returns the number of inserted records. */
async function insertWhole(
  statement: PreparedList,
  session: SqlSession,
  values: readonly unknown[],
  placed: readonly PlacedTerm[],
): Promise<number> {
  const { rows } = await statement(session, [...values, ...listsOf(placed)]);
  return Number(rows[0]?.["made"]);
}

const listsOf = (placed: readonly PlacedTerm[]): string[][] => [
  placed.map(({ field }) => field),
  placed.map(({ term }) => term),
  placed.map(({ id }) => id),
];

export async function deleteRecords(
  { definition, hasTerms, bulk }: Target,
  session: SqlSession,
  ids: readonly string[],
): Promise<void> {
  const gone: StoredRecord[] = [];
  for (const portion of portions([...new Set(ids)].filter(isStorableId))) {
    const { rows } = await bulk.deleteRows(portion.length)(session, portion);
    for (const row of rows) gone.push(recordOf(row));
  }
  if (!hasTerms) return;
  const placed = placedTerms(definition, gone);
  if (!bulk.deleteListed) await eachPair(bulk.deletePairs, session, placed);
  else if (placed.length > 0) await bulk.deleteListed(session, listsOf(placed));
}

function rowValues({ dialect, definition, bulk }: Target, records: readonly StoredRecord[]): unknown[] {
  const values: unknown[] = [];
  for (const record of records) {
    const columns = databaseValues(dialect, definition, record);
    values.push(record.id, JSON.stringify(record));
    for (const name of bulk.columns) values.push(columns[name]);
  }
  return values;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Terms in the order of the table, so that neighbours are written one after the other. */
function placedTerms(definition: AnyCollection, records: readonly StoredRecord[]): PlacedTerm[] {
  const placed: PlacedTerm[] = [];
  for (const record of records)
    for (const { field, term } of ownTerms(definition, record)) placed.push({ field, term, id: record.id });
  return placed.sort((a, b) => compare(a.field, b.field) || compare(a.term, b.term) || compare(a.id, b.id));
}

async function eachPair(
  statement: (count: number) => PreparedList,
  session: SqlSession,
  terms: readonly PlacedTerm[],
): Promise<void> {
  for (const portion of portions(terms)) {
    const values: string[] = [];
    for (const { field, term, id } of portion) values.push(field, term, id);
    await statement(portion.length)(session, values);
  }
}
