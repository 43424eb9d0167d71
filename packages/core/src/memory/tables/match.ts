import type { AnyCollection, ColumnValue } from "../../ports/storage/collection.ts";
import type { SearchNode } from "../../search/ast.ts";
import { indexText, isWord, normaliseValue } from "../../search/index-values.ts";
import { ENTRY_BREAK } from "../../search/text/analyse.ts";

/** Index values of a record, which conditions are evaluated on. */
export interface IndexedRow {
  readonly id: string;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly terms: Readonly<Record<string, ReadonlySet<string>>>;
  readonly text: Readonly<Record<string, PlacedWords>>;
}

/** Words in their order, and the places of each. */
export interface PlacedWords {
  readonly words: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function placeWords(words: readonly string[]): PlacedWords {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    if (word === ENTRY_BREAK) continue;
    const known = places.get(word);
    if (known) known.push(index);
    else places.set(word, [index]);
  }
  return { words, places };
}

export type Matcher = (row: IndexedRow) => boolean;

/** Turns a condition into a predicate. Throws `TypeError` for a field that is not declared. */
export function compileMatcher(definition: AnyCollection, node: SearchNode): Matcher {
  switch (node.kind) {
    case "all":
      return () => true;
    case "none":
      return () => false;
    case "not": {
      const inner = compileMatcher(definition, node.node);
      return (row) => !inner(row);
    }
    case "and":
    case "or": {
      const parts = node.nodes.map((part) => compileMatcher(definition, part));
      return node.kind === "and" ? (row) => parts.every((part) => part(row)) : (row) => parts.some((part) => part(row));
    }
    case "term": {
      const { field } = node;
      if (!definition.terms || !Object.hasOwn(definition.terms, field)) throw unknownField(definition, field);
      const words = node.words.map(indexText);
      return (row) => words.some((word) => row.terms[field]?.has(word));
    }
    case "text":
      return compileText(definition, node);
    case "compare":
      return compileComparison(definition, node);
  }
}

function compileComparison(definition: AnyCollection, node: SearchNode & { kind: "compare" }): Matcher {
  const { field, operator } = node;
  const type = columnType(definition, field);
  const read = (row: IndexedRow): ColumnValue => (field === "id" ? row.id : (row.columns[field] ?? null));
  if (node.value === null) return operator === "eq" ? (row) => read(row) === null : () => false;
  const value = normaliseValue(type, node.value);
  if (value === null) return () => false;
  const test = operators[operator];
  return (row) => {
    const found = read(row);
    return found !== null && test(compareValues(found, value));
  };
}

function compileText(definition: AnyCollection, { field, phrases }: SearchNode & { kind: "text" }): Matcher {
  if (!definition.text || !Object.hasOwn(definition.text, field)) throw unknownField(definition, field);
  const possible = phrases.filter((phrase) => phrase.length > 0 && phrase.every(isWord));
  return (row) => {
    const found = row.text[field];
    return found !== undefined && possible.some((phrase) => holdsPhrase(found, phrase));
  };
}

function holdsPhrase({ words, places }: PlacedWords, phrase: readonly string[]): boolean {
  const starts = places.get(phrase[0] ?? "") ?? [];
  return starts.some((start) => phrase.every((word, offset) => words[start + offset] === word));
}

const operators = {
  eq: (order: number) => order === 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
} as const;

export function columnType(definition: AnyCollection, field: string): "integer" | "real" | "text" {
  if (field === "id") return "text";
  if (!definition.columns || !Object.hasOwn(definition.columns, field)) throw unknownField(definition, field);
  return definition.columns[field]?.type ?? "text";
}

const unknownField = (definition: AnyCollection, field: string): TypeError =>
  new TypeError(`Collection ${definition.name} declares no index named ${field}`);

/** The order that the port defines: null first, then numbers, then text by UTF-8 bytes. */
export function compareValues(a: ColumnValue, b: ColumnValue): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : Number(a > b);
  return rank(a) - rank(b);
}

const rank = (value: ColumnValue): number => (value === null ? 0 : typeof value === "number" ? 1 : 2);

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
