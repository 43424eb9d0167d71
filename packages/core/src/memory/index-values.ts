import type { AnyCollection, Column, ColumnValue, StoredRecord } from "../ports/collection.ts";

/** Index entries longer than this (in UTF-16 units) are cut: B-trees of SQL backends bound their keys. */
const MAX_TEXT = 500;
const MAX_ID = 200;

/** The form in which a text stands in an index: no NUL, no lone surrogates, bounded. Documents keep all of it. */
export function indexText(text: string): string {
  if (text.length <= MAX_TEXT && text.isWellFormed() && !text.includes("\0")) return text;
  return text
    .slice(0, MAX_TEXT)
    .replaceAll("\0", "")
    .replace(/\p{Surrogate}/gu, "");
}

/** A value of another kind than the column's counts as absent: records are open and may hold anything. */
export function normaliseValue(type: Column<StoredRecord>["type"], value: ColumnValue | undefined): ColumnValue {
  if (type === "text") return typeof value === "string" ? indexText(value) : null;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function columnValues(definition: AnyCollection, record: StoredRecord): Record<string, ColumnValue> {
  const values: Record<string, ColumnValue> = {};
  for (const [name, column] of Object.entries(definition.columns ?? {}))
    values[name] = normaliseValue(column.type, column.read(record));
  return values;
}

export function termSets(definition: AnyCollection, record: StoredRecord): Record<string, Set<string>> {
  const sets: Record<string, Set<string>> = {};
  for (const [field, read] of Object.entries(definition.terms ?? {}))
    sets[field] = new Set(read(record).map((word) => indexText(word)));
  return sets;
}

/** An id must survive every backend's text type unchanged. */
export function isStorableId(id: unknown): id is string {
  return typeof id === "string" && id.length <= MAX_ID && id.isWellFormed() && !id.includes("\0");
}
