import {
  type AnyCollection,
  type ColumnValue,
  columnValues,
  normaliseValue,
  type SearchNode,
  type StoredRecord,
  termSets,
  textWords,
} from "@signalbox/core/storage";
import type { SqlDialect } from "../dialect.ts";

/** Declared columns stand beside our own ones, which they must not meet. */
export const columnName = (name: string): string => `c_${name}`;

/** True for collections whose terms stand in the word index, beside their texts, and in no table of their own. */
export const hasWordIndex = (definition: AnyCollection): boolean => Object.keys(definition.text ?? {}).length > 0;

/** True where terms have a table of their own. */
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

/** Value of each declared column, by the name of the database column; takes no text apart. */
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

export interface Term {
  readonly field: string;
  readonly term: string;
}

/** Terms by field. */
export type TermSets = Readonly<Record<string, ReadonlySet<string>>>;

const NONE: TermSets = {};

/** The terms of a record, where terms have a table of their own. */
export const ownTerms = (definition: AnyCollection, record: StoredRecord): TermSets =>
  hasWordIndex(definition) ? NONE : termSets(definition, record);

/** Terms of one record that another one lacks. */
export function termsBeyond(terms: TermSets, others: TermSets): Term[] {
  const list: Term[] = [];
  for (const [field, set] of Object.entries(terms))
    for (const term of set) if (!others[field]?.has(term)) list.push({ field, term });
  return list;
}

/** Every term of a record once, where terms have a table of their own. */
export const termsOf = (definition: AnyCollection, record: StoredRecord): Term[] =>
  termsBeyond(ownTerms(definition, record), NONE);
