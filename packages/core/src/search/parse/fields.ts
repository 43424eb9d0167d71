import { allOf, anyOf, type SearchNode } from "../ast.ts";
import { analyseKeywords, analyseWords, hasLongWord, MAX_KEYWORD_LENGTH, MAX_WORD_LENGTH } from "../text/analyse.ts";
import { analyseText, MAX_LENGTH } from "../text/analyse-text.ts";
import type { Moment, Span } from "./dates.ts";
import type { SearchField } from "./table.ts";

/** A field of a table under its own name; queries may write it in any case. */
export interface NamedField extends SearchField {
  readonly name: string;
  /** The index that holds it. */
  readonly index: string;
  /** True = its words are declared as `text`, so their order matters. */
  readonly isText: boolean;
}

/** A condition; "unreadable" = a range has an unreadable bound; undefined = the values mean nothing. */
export type Leaf = SearchNode | "unreadable" | undefined;

/** Parses a date at the precision of a field; undefined for any other text. */
export type ReadDate = (text: string, unit: "hour" | "day") => Moment | undefined;

/** Condition that the record has one of `values` in the field; numbers, times and days allow comparisons and ranges. */
export function leafOf(field: NamedField, values: readonly string[], readDate: ReadDate): Leaf {
  if (isTyped(field)) return anyLeaf(values.map((value) => typedLeaf(field, value, readDate)));
  return field.isText ? textLeaf(field, values) : termLeaf(field, values);
}

/** Condition for one value with an explicit operator. */
export function comparisonOf(field: NamedField, operator: string, value: string, readDate: ReadDate): Leaf {
  if (!isTyped(field)) return leafOf(field, [value], readDate);
  const reading = readValue(field, value, readDate);
  return reading && compare(field, operator, reading);
}

export const isTyped = ({ kind }: SearchField): boolean => kind === "number" || kind === "hour" || kind === "day";

/** True when every one of `values` parses as a number or date of the field. */
export const isReadable = (field: NamedField, values: readonly string[], readDate: ReadDate): boolean =>
  values.every((value) => {
    const leaf = typedLeaf(field, value, readDate);
    return leaf !== undefined && leaf !== "unreadable";
  });

function anyLeaf(leaves: readonly Leaf[]): Leaf {
  if (leaves.includes("unreadable")) return "unreadable";
  const nodes = leaves.filter((leaf) => leaf !== undefined) as SearchNode[];
  return nodes.length === 0 ? undefined : anyOf(nodes);
}

function textLeaf(field: NamedField, values: readonly string[]): Leaf {
  const analyse = field.kind === "text" ? analyseText : wordsOf;
  const phrases = values.map((value) => analyse(value, field)).filter((phrase) => phrase.length > 0);
  return phrases.length === 0 ? undefined : { kind: "text", field: field.index, phrases };
}

/** True when no word of a value is left out as too long, which would shorten a phrase. */
export const keepsWords = (field: NamedField, value: string): boolean =>
  isTyped(field) || !hasLongWord(value, longestIn(field));

function longestIn({ kind, maxLength = MAX_WORD_LENGTH }: NamedField): number {
  if (kind === "text") return MAX_LENGTH;
  return kind === "words" ? maxLength : MAX_KEYWORD_LENGTH;
}

const wordsOf = (value: string, { maxLength }: SearchField): string[] => analyseWords(value, maxLength);

/**
 * Condition on terms. All words of one value must be present, in any order. Ids of servers are indexed whole and may hold more
 * than letters, so the literal value counts too.
 */
function termLeaf(field: NamedField, values: readonly string[]): Leaf {
  const analyse = field.kind === "words" ? wordsOf : analyseKeywords;
  const lists = values.map((value) => [...new Set(analyse(value, field))]).filter((words) => words.length > 0);
  const termOf = (words: readonly string[]): SearchNode => ({ kind: "term", field: field.index, words });
  const asWritten = field.kind === "words" || field.alphanum ? [] : values.filter(isIdAsWritten);
  const single = [...lists.filter((words) => words.length === 1).flat(), ...asWritten];
  const nodes = lists.filter((words) => words.length > 1).map((words) => allOf(words.map((word) => termOf([word]))));
  if (single.length > 0) nodes.push(termOf(single));
  return nodes.length === 0 ? undefined : anyOf(nodes);
}

/** True for an id that analysis would change. */
const isIdAsWritten = (value: string): boolean =>
  /^[\w.-]+$/.test(value) && /[^a-z0-9_]/.test(value) && /\w/.test(value);

const COMPARISON = /^(>=|<=|=|>|<)?(.*)$/s;

function typedLeaf(field: NamedField, value: string, readDate: ReadDate): Leaf {
  const dots = value.indexOf("..");
  if (dots >= 0) return rangeOf(field, [value.slice(0, dots), value.slice(dots + 2)], readDate);
  const [, operator = "=", text = ""] = COMPARISON.exec(value) ?? [];
  return comparisonOf(field, operator, text, readDate);
}

function rangeOf(field: NamedField, [low, high]: readonly [string, string], readDate: ReadDate): Leaf {
  const from = readValue(field, low, readDate);
  const to = readValue(field, high, readDate);
  return from && to ? within(field, { from: from.at.from, to: to.at.to }) : "unreadable";
}

/** Reads a number as a span of one. */
function readValue({ kind }: NamedField, value: string, readDate: ReadDate): Moment | undefined {
  const text = value.replaceAll('"', "");
  if (kind !== "number") return readDate(text, kind === "day" ? "day" : "hour");
  const number = readInteger(text);
  if (number === undefined) return undefined;
  const at = { from: number, to: number + 1 };
  return { at, whole: at };
}

/**
 * Parses an integer: drops fractions, then everything but digits and `-`: `1,500` and `#5` are numbers
 * (docs/contract/search.md#numbers).
 */
export function readInteger(text: string): number | undefined {
  const number = Number.parseInt(text.replace(/\..*$/s, "").replace(/[^\d-]/g, ""), 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

function compare(field: NamedField, operator: string, { at, whole }: Moment): SearchNode {
  if (operator === ">") return column(field, "gte", at.to);
  if (operator === ">=") return column(field, "gte", at.from);
  if (operator === "<") return below(field, at.from);
  return operator === "<=" ? below(field, at.to) : within(field, whole);
}

const column = ({ index }: NamedField, operator: "gt" | "gte" | "lt", value: number): SearchNode => ({
  kind: "compare",
  field: index,
  operator,
  value,
});

const within = (field: NamedField, { from, to }: Span): SearchNode =>
  allOf([column(field, "gte", from), column(field, "lt", to)]);

/** Zero means no date: a ticket that is never due is not overdue. */
const below = (field: NamedField, value: number): SearchNode =>
  field.kind === "day" ? allOf([column(field, "gt", 0), column(field, "lt", value)]) : column(field, "lt", value);
