import { type AnyCollection, type ColumnValue, columnValues, type StoredRecord, termSets } from "@signalbox/core";

/** Declared columns stand beside our own ones, which they must not meet. */
export const columnName = (name: string): string => `c_${name}`;

/** Value of each declared column, under the name of its database column. */
export function databaseValues(definition: AnyCollection, record: StoredRecord): Record<string, ColumnValue> {
  const values = Object.entries(columnValues(definition, record));
  return Object.fromEntries(values.map(([name, value]) => [columnName(name), value]));
}

export interface Term {
  readonly field: string;
  readonly term: string;
}

/** Every term of a record once. */
export const termsOf = (definition: AnyCollection, record: StoredRecord): Term[] =>
  Object.entries(termSets(definition, record)).flatMap(([field, terms]) =>
    Array.from(terms, (term) => ({ field, term })),
  );
