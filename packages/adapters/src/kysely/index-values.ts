import type { AnyCollection, Column, ColumnValue, StoredRecord } from "@signalbox/core";

/** Index entries longer than this (in UTF-16 units) are cut: a B-tree bounds its keys. */
const MAX_TEXT = 500;
const MAX_ID = 200;

/** Text columns hold neither NUL nor lone surrogates; documents, being escaped, hold both. */
export const cleanText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0") ? text : text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "");

/** The form in which a text stands in an index. */
export const indexText = (text: string): string => cleanText(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);

/** A value of another kind than the column's counts as absent: records are open and may hold anything. */
export function normaliseValue(type: Column<StoredRecord>["type"], value: ColumnValue | undefined): ColumnValue {
  if (type === "text") return typeof value === "string" ? indexText(value) : null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Value of each declared column, under the name of its database column. */
export function columnValues(definition: AnyCollection, record: StoredRecord): Record<string, ColumnValue> {
  const values: Record<string, ColumnValue> = {};
  for (const [name, column] of Object.entries(definition.columns ?? {}))
    values[columnName(name)] = normaliseValue(column.type, column.read(record));
  return values;
}

/** Declared columns stand beside our own ones, which they must not meet. */
export const columnName = (name: string): string => `c_${name}`;

export interface Term {
  readonly field: string;
  readonly term: string;
}

/** Every term of a record once. */
export function termsOf(definition: AnyCollection, record: StoredRecord): Term[] {
  return Object.entries(definition.terms ?? {}).flatMap(([field, read]) =>
    [...new Set(read(record).map(indexText))].map((term) => ({ field, term })),
  );
}

/** An id must survive the database's text type unchanged. */
export const isStorableId = (id: unknown): id is string =>
  typeof id === "string" && id.length <= MAX_ID && id.isWellFormed() && !id.includes("\0");
