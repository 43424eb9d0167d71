import {
  type AnyCollection,
  type ColumnValue,
  columnValues,
  type StoredRecord,
  termSets,
  textWords,
} from "@signalbox/core";

/** Declared columns stand beside our own ones, which they must not meet. */
export const columnName = (name: string): string => `c_${name}`;

/** The words of a full-text field stand beside the declared columns. */
export const textColumn = (field: string): string => `t_${field}`;

export const textColumns = (definition: AnyCollection): string[] => Object.keys(definition.text ?? {}).map(textColumn);

/** Value of each declared column and words of each text field, joined by blanks, by the name of the database column. */
export function databaseValues(definition: AnyCollection, record: StoredRecord): Record<string, ColumnValue> {
  const values: Record<string, ColumnValue> = {};
  for (const [name, value] of Object.entries(columnValues(definition, record))) values[columnName(name)] = value;
  for (const [field, words] of Object.entries(textWords(definition, record)))
    values[textColumn(field)] = words.join(" ");
  return values;
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
