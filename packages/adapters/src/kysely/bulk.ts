import { type AnyCollection, isStorableId, type StoredRecord } from "@signalbox/core";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { SqlDialect, SqlSession, Tables } from "./dialect.ts";
import { columnName, databaseValues, hasTerms, type Term, termsOf, wordColumns } from "./index-values.ts";
import { type Prepared, prepare, slot, tableRef } from "./statements.ts";

/** Statements for many records, by their number. */
export interface BulkQueries {
  insertRows(count: number): Prepared;
  /** The same with all their terms, lists in the slots `fields`, `terms` and `ids`; answers the number of rows as `made`. */
  insertWhole?(count: number): Prepared;
  /** Slots `id0`, `id1` …; answers the documents. */
  deleteRows(count: number): Prepared;
  /** Slots `f0`, `t0`, `i0` … */
  insertPairs(count: number): Prepared;
  deletePairs(count: number): Prepared;
  /** All at once, lists in the slots `fields`, `terms` and `ids`. */
  readonly deleteListed?: Prepared;
}

/** Two large sizes and all small ones, so that few statements are prepared; far from the bound on parameters. */
const SIZES = [64, 16] as const;

export function compileBulk(db: Kysely<Tables>, dialect: SqlDialect, definition: AnyCollection): BulkQueries {
  const table = tableRef(dialect, `sb_${definition.name}`);
  const terms = tableRef(dialect, `sb_${definition.name}_terms`);
  const columns = Object.keys(definition.columns ?? {}).map(columnName);
  const words = wordColumns(dialect, definition);
  const names = sql.join(["id", "revision", "doc", ...columns, ...words].map((name) => sql.id(name)));
  const rowOf = (n: number) =>
    sql`(${sql.join([
      ...[slot(`id${n}`), sql`1`, slot(`doc${n}`)],
      ...[...columns, ...words].map((column) => slot(`${column} ${n}`)),
    ])})`;
  const insert = (numbers: readonly number[]) =>
    sql`insert into ${table} (${names}) values ${sql.join(numbers.map(rowOf))} on conflict do nothing`;
  const pair = (n: number) => sql`(field = ${slot(`f${n}`)} and term = ${slot(`t${n}`)} and id = ${slot(`i${n}`)})`;
  return {
    insertRows: bySize((numbers) => prepare(db, insert(numbers))),
    ...(dialect.writesInWith && hasTerms(definition)
      ? {
          insertWhole: bySize((numbers) => prepare(db, withTerms(insert(numbers), terms))),
          deleteListed: prepare(
            db,
            sql`delete from ${terms} as said using ${listed}
              where said.field = entry.field and said.term = entry.term and said.id = entry.id`,
          ),
        }
      : {}),
    deleteRows: bySize((numbers) => {
      const ids = numbers.map((n) => slot(`id${n}`));
      return prepare(
        db,
        sql`delete from ${table} where id in (${sql.join(ids)}) returning ${dialect.documentText} as doc`,
      );
    }),
    insertPairs: bySize((numbers) => {
      const rows = numbers.map((n) => sql`(${slot(`f${n}`)}, ${slot(`t${n}`)}, ${slot(`i${n}`)})`);
      return prepare(db, sql`insert into ${terms} (field, term, id) values ${sql.join(rows)} on conflict do nothing`);
    }),
    deletePairs: bySize((numbers) =>
      prepare(db, sql`delete from ${terms} where ${sql.join(numbers.map(pair), sql` or `)}`),
    ),
  };
}

const listed = sql`unnest(${slot("fields")}::text[], ${slot("terms")}::text[], ${slot("ids")}::text[])
  as entry (field, term, id)`;

const withTerms = (insert: RawBuilder<unknown>, terms: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`with made as (${insert} returning id), said as (
      insert into ${terms} (field, term, id) select entry.field, entry.term, entry.id
      from ${listed} where entry.id in (select id from made) on conflict do nothing)
    select count(*) as made from made`;

function bySize(compile: (numbers: readonly number[]) => Prepared): (count: number) => Prepared {
  const compiled: Prepared[] = [];
  return (count) => (compiled[count] ??= compile(Array.from({ length: count }, (_unused, index) => index)));
}

function* portions<T>(items: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (const size of SIZES) for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  if (start < items.length) yield items.slice(start);
}

interface PlacedTerm extends Term {
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
    const slots = rowSlots(target, portion);
    const made = bulk.insertWhole
      ? await insertWhole(bulk.insertWhole(portion.length), session, slots, placedTerms(definition, portion))
      : (await bulk.insertRows(portion.length)(session, slots)).changes;
    if (made !== portion.length) return false;
  }
  if (hasTerms && !bulk.insertWhole) await eachPair(bulk.insertPairs, session, placedTerms(definition, records));
  return true;
}

/** How many of the records were made. */
async function insertWhole(
  statement: Prepared,
  session: SqlSession,
  slots: Readonly<Record<string, unknown>>,
  placed: readonly PlacedTerm[],
): Promise<number> {
  const { rows } = await statement(session, { ...slots, ...listsOf(placed) });
  return Number(rows[0]?.["made"]);
}

const listsOf = (placed: readonly PlacedTerm[]) => ({
  fields: placed.map(({ field }) => field),
  terms: placed.map(({ term }) => term),
  ids: placed.map(({ id }) => id),
});

export async function deleteRecords(
  { definition, hasTerms, bulk }: Target,
  session: SqlSession,
  ids: readonly string[],
): Promise<void> {
  const gone: StoredRecord[] = [];
  for (const portion of portions([...new Set(ids)].filter(isStorableId))) {
    const slots = Object.fromEntries(portion.map((id, n) => [`id${n}`, id]));
    const { rows } = await bulk.deleteRows(portion.length)(session, slots);
    if (hasTerms) for (const row of rows) gone.push(JSON.parse(row["doc"] as string));
  }
  if (!hasTerms) return;
  const placed = placedTerms(definition, gone);
  if (!bulk.deleteListed) await eachPair(bulk.deletePairs, session, placed);
  else if (placed.length > 0) await bulk.deleteListed(session, listsOf(placed));
}

function rowSlots({ dialect, definition }: Target, records: readonly StoredRecord[]): Record<string, unknown> {
  const slots: Record<string, unknown> = {};
  for (const [n, record] of records.entries()) {
    slots[`id${n}`] = record.id;
    slots[`doc${n}`] = JSON.stringify(record);
    for (const [name, value] of Object.entries(databaseValues(dialect, definition, record)))
      slots[`${name} ${n}`] = value;
  }
  return slots;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** In the order of the table, so that neighbours are written one after the other. */
function placedTerms(definition: AnyCollection, records: readonly StoredRecord[]): PlacedTerm[] {
  const placed: PlacedTerm[] = [];
  for (const record of records)
    for (const { field, term } of termsOf(definition, record)) placed.push({ field, term, id: record.id });
  return placed.sort((a, b) => compare(a.field, b.field) || compare(a.term, b.term) || compare(a.id, b.id));
}

async function eachPair(
  statement: (count: number) => Prepared,
  session: SqlSession,
  terms: readonly PlacedTerm[],
): Promise<void> {
  for (const portion of portions(terms)) {
    const slots: Record<string, string> = {};
    for (const [n, { field, term, id }] of portion.entries()) {
      slots[`f${n}`] = field;
      slots[`t${n}`] = term;
      slots[`i${n}`] = id;
    }
    await statement(portion.length)(session, slots);
  }
}
