import type { AnyCollection, ColumnValue, StoredRecord } from "@signalbox/core/storage";
import { sql } from "kysely";
import type { SqlDialect, SqlRow, SqlSession } from "../dialect.ts";
import { createCompiler, runOnce, tableRef } from "../statements.ts";
import { databaseValues, hasWordIndex, ownTerms, wordColumns } from "./index-values.ts";

/** A place where an index disagrees with the document. */
export interface IndexDifference {
  readonly collection: string;
  readonly id: string;
  /** A database column, or `terms <field>`. */
  readonly index: string;
  readonly stored: ColumnValue;
  readonly expected: ColumnValue;
}

/** Compares every stored index entry with one rebuilt from the documents. An empty list means that all agree. */
export async function verifyIndexes(
  dialect: SqlDialect,
  session: SqlSession,
  collections: readonly AnyCollection[],
): Promise<IndexDifference[]> {
  const db = createCompiler(dialect);
  const differences: IndexDifference[] = [];
  for (const definition of collections) {
    const table = tableRef(dialect, `sb_${definition.name}`);
    const doc = dialect.documentText;
    const { rows } = await runOnce(db, session, sql`select *, ${doc} as document from ${table} order by seq`);
    const records = rows.map((row) => ({ row, record: JSON.parse(row["document"] as string) as StoredRecord }));
    for (const { row, record } of records) differences.push(...compareColumns(dialect, definition, row, record));
    if (!definition.terms || hasWordIndex(definition)) continue;
    const terms = await runOnce(
      db,
      session,
      sql`select field, term, id from ${tableRef(dialect, `sb_${definition.name}_terms`)}`,
    );
    differences.push(...compareTerms(definition, terms.rows, records));
  }
  return differences;
}

function compareColumns(
  dialect: SqlDialect,
  definition: AnyCollection,
  row: SqlRow,
  record: StoredRecord,
): IndexDifference[] {
  const { text } = dialect;
  const expected: Record<string, ColumnValue> = { id: record.id, ...databaseValues(dialect, definition, record) };
  const words = new Set(wordColumns(dialect, definition));
  const plain = (index: string, value: unknown, like: ColumnValue): ColumnValue => {
    if (typeof value === "string" && words.has(index)) return text.canonical(value);
    return value !== null && typeof like === "number" ? Number(value) : (value as ColumnValue);
  };
  return Object.entries(expected).flatMap(([index, value]) => {
    const [stored, wanted] = [plain(index, row[index], value), plain(index, value, value)];
    return stored === wanted
      ? []
      : [{ collection: definition.name, id: String(row["id"]), index, stored, expected: wanted }];
  });
}

function compareTerms(
  definition: AnyCollection,
  stored: readonly SqlRow[],
  records: readonly { readonly record: StoredRecord }[],
): IndexDifference[] {
  const declared = new Set(Object.keys(definition.terms ?? {}));
  const keyOf = (id: unknown, field: unknown, term: unknown): string => JSON.stringify([id, field, term]);
  const found = new Set(
    stored.filter(({ field }) => declared.has(field as string)).map(({ id, field, term }) => keyOf(id, field, term)),
  );
  const wanted = new Set(
    records.flatMap(({ record }) =>
      ownTerms(definition, record).map(({ field, term }) => keyOf(record.id, field, term)),
    ),
  );
  const differences: IndexDifference[] = [];
  const report = (key: string, stored: string | null, expected: string | null): void => {
    const [id, field] = JSON.parse(key);
    differences.push({ collection: definition.name, id, index: `terms ${field}`, stored, expected });
  };
  for (const key of wanted) if (!found.has(key)) report(key, null, JSON.parse(key)[2]);
  for (const key of found) if (!wanted.has(key)) report(key, JSON.parse(key)[2], null);
  return differences;
}
