import {
  type AnyCollection,
  type ColumnValue,
  columnValues,
  type IndexTerm,
  normaliseValue,
  type SearchNode,
  type StoredRecord,
  termSets,
  termsOf,
  textWords,
} from "@signalbox/core/storage";
import type { SqlDialect } from "../dialect.ts";

/** Prefixes declared columns, so that they do not collide with our own columns. */
export const columnName = (name: string): string => `c_${name}`;

/** True for collections whose terms are in the word index together with their texts, and not in a separate table. */
export const hasWordIndex = (definition: AnyCollection): boolean => Object.keys(definition.text ?? {}).length > 0;

/** True if terms have a separate table. */
export const hasTerms = (definition: AnyCollection): boolean =>
  Object.keys(definition.terms ?? {}).length > 0 && !hasWordIndex(definition);

export const wordColumns = ({ text }: SqlDialect, definition: AnyCollection): readonly string[] =>
  hasWordIndex(definition) ? text.columnsOf(Object.keys(definition.text ?? {})) : [];

/** Value that the column of a comparison is compared with; null = none. */
export function comparedValue(
  { columns }: AnyCollection,
  { field, value }: SearchNode & { readonly kind: "compare" },
): ColumnValue {
  return normaliseValue(field === "id" ? "text" : (columns?.[field]?.type ?? "text"), value);
}

/** Values of the declared columns by database name. Does not analyse texts. */
export function plainValues(definition: AnyCollection, record: StoredRecord): Record<string, ColumnValue> {
  const values: Record<string, ColumnValue> = {};
  for (const [name, value] of Object.entries(columnValues(definition, record))) values[columnName(name)] = value;
  return values;
}

/** Values of the declared columns and of the word index's columns, by their names in the database. */
export function databaseValues(
  { text }: SqlDialect,
  definition: AnyCollection,
  record: StoredRecord,
): Record<string, ColumnValue> {
  const values = plainValues(definition, record);
  if (!hasWordIndex(definition)) return values;
  const terms = Object.entries(termSets(definition, record)).map(([field, words]) => [field, [...words]] as const);
  const entries = { text: textWords(definition, record), terms: Object.fromEntries(terms) };
  return { ...values, ...text.encode(entries) };
}

/** The terms of a record, if terms have a separate table. */
export const ownTerms = (definition: AnyCollection, record: StoredRecord): readonly IndexTerm[] =>
  hasWordIndex(definition) ? NONE : termsOf(definition, record);

const NONE: readonly IndexTerm[] = [];

/** Terms that a change of a record removes, and terms that it adds. */
export interface MovedTerms {
  readonly remove: readonly IndexTerm[];
  readonly add: readonly IndexTerm[];
}

const UNMOVED: MovedTerms = { remove: NONE, add: NONE };

const isSame = (a: IndexTerm, b: IndexTerm | undefined): boolean => a.term === b?.term && a.field === b.field;

export function movedTerms(before: readonly IndexTerm[], after: readonly IndexTerm[]): MovedTerms {
  // Most changes leave all terms as they were.
  if (before.length === after.length && before.every((one, index) => isSame(one, after[index]))) return UNMOVED;
  return { remove: beyond(before, after), add: beyond(after, before) };
}

/** Terms that are missing in the others. */
function beyond(terms: readonly IndexTerm[], others: readonly IndexTerm[]): readonly IndexTerm[] {
  const known = new Set(others.map(keyOf));
  return terms.filter((one) => !known.has(keyOf(one)));
}

const keyOf = ({ field, term }: IndexTerm): string => `${field} ${term}`;
