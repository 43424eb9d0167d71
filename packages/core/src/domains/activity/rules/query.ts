import { equal, everything, nothing, type SearchNode } from "../../../search/ast.ts";
import type { Moment } from "./dates.ts";
import { wordsOf } from "./words.ts";

/** Reads a date; undefined for what is none. */
export type ReadDate = (text: string) => Moment | undefined;

export type ParsedQuery = { readonly node: SearchNode } | { readonly fault: string };

const MAX_LENGTH = 10_000;
/** Each is a condition of its own in the storage. */
const MAX_VALUES = 200;
const HOUR = 3600;

type Field = "keywords" | "action" | "date";
const FIELDS: ReadonlySet<string> = new Set<Field>(["keywords", "action", "date"]);
const isField = (name: string): name is Field => FIELDS.has(name);

interface Part {
  /** In lower case; undefined = not written. */
  readonly field: string | undefined;
  readonly negative: boolean;
  /** Alternatives. */
  readonly values: readonly string[];
}

/** A condition, or that a range has an unreadable bound; undefined = the part says nothing. */
type Leaf = SearchNode | "unreadable" | undefined;

/**
 * Turns a query into a condition over the indexes of the activity log (part 41 §2): words and phrases of keywords,
 * `action:`, `keywords:` and `date:` with comparisons and ranges, `|` between alternatives, `-` for what must not be.
 * The words of a phrase must all be there, in any order.
 */
export function parseActivityQuery(text: string, readDate: ReadDate): ParsedQuery {
  const query = text.trim();
  if (query === "" || query === "*") return { node: everything };
  if (query.length > MAX_LENGTH) return { fault: "The query is too long." };
  if (query.startsWith("(") && query.endsWith(")"))
    return { fault: "Structured queries are not supported in the activity log." };
  const byId = /^#id:(\S+)$/.exec(query);
  if (byId?.[1]) return { node: equal("id", byId[1]) };
  const parts = splitParts(query);
  if (parts.reduce((sum, { values }) => sum + values.length, 0) > MAX_VALUES)
    return { fault: "The query has too many parts." };
  return { node: combine(assignFields(parts, readDate), readDate) };
}

/** `[+-] [field:[-]] value { | value }`; a colon before `//` belongs to a URL. */
const PART = /([+-]?)(?:(\w+)\s*:(?!\/\/)\s*(-?)(?=[^\s|]))?((?:"[^"]*"|[^\s|]+)(?:\s*\|\s*(?:"[^"]*"|[^\s|]+))*)/y;
const VALUE = /"[^"]*"|[^\s|]+/g;

function splitParts(query: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < query.length) {
    PART.lastIndex = at;
    const match = PART.exec(query);
    if (!match) {
      // A blank, or a bar with nothing beside it.
      at++;
      continue;
    }
    const [whole, sign, field, inner, values = ""] = match;
    at += whole.length;
    const negative = sign === "-" || inner === "-";
    parts.push({ field: field?.toLowerCase(), negative, values: values.match(VALUE) ?? [] });
  }
  return parts;
}

interface Assigned extends Part {
  readonly on: Field;
}

/** Which field each part belongs to (part 41 §2.1); what belongs to an unknown one is left out. */
function assignFields(parts: readonly Part[], readDate: ReadDate): Assigned[] {
  const assigned: Assigned[] = [];
  let current: string = "keywords";
  let previous: Assigned | undefined;
  for (const part of parts) {
    current = part.field ?? current;
    if (!isField(current)) {
      previous = undefined;
      continue;
    }
    const stays =
      part.field !== undefined ||
      (current === "date" && part.values.every((value) => isDateLike(value, readDate))) ||
      (current === "action" && part.negative && previous?.on === "action" && previous.negative);
    previous = { ...part, on: stays ? current : "keywords" };
    assigned.push(previous);
  }
  return assigned;
}

/** All positive parts and none of the negative ones; without a positive one, nothing. */
function combine(parts: readonly Assigned[], readDate: ReadDate): SearchNode {
  const positive: SearchNode[] = [];
  const negative: SearchNode[] = [];
  for (const part of parts) {
    const leaf = part.on === "date" ? datesOf(part, readDate) : termsOf(part.on, part.values);
    if (leaf === "unreadable") return nothing;
    if (leaf) (part.negative ? negative : positive).push(leaf);
  }
  if (positive.length === 0) return nothing;
  if (negative.length === 0) return allOf(positive);
  return allOf([...positive, { kind: "not", node: anyOf(negative) }]);
}

const joined = (kind: "and" | "or", nodes: readonly SearchNode[]): SearchNode =>
  nodes.length === 1 && nodes[0] ? nodes[0] : { kind, nodes };
const allOf = (nodes: readonly SearchNode[]): SearchNode => joined("and", nodes);
const anyOf = (nodes: readonly SearchNode[]): SearchNode => joined("or", nodes);

function termsOf(field: "keywords" | "action", values: readonly string[]): Leaf {
  const phrases = values.map(wordsOf).filter((words) => words.length > 0);
  const single = phrases.flatMap((words) => (words.length === 1 ? words : []));
  const nodes = phrases
    .filter((words) => words.length > 1)
    .map((words) => allOf(words.map((word) => ({ kind: "term", field, words: [word] }))));
  if (single.length > 0) nodes.push({ kind: "term", field, words: single });
  return nodes.length === 0 ? undefined : anyOf(nodes);
}

const RANGE = /^(.+?)\.\.(.+)$/;
const COMPARISON = /^(>=|<=|=|>|<)?(.*)$/s;
const unquoted = (value: string): string => value.replace(/^"|"$/g, "");

const isDateLike = (value: string, readDate: ReadDate): boolean => {
  const leaf = dateOf(unquoted(value), readDate);
  return leaf !== undefined && leaf !== "unreadable";
};

function datesOf({ values }: Part, readDate: ReadDate): Leaf {
  const nodes: SearchNode[] = [];
  for (const value of values) {
    const leaf = dateOf(unquoted(value), readDate);
    if (leaf === "unreadable") return leaf;
    if (leaf) nodes.push(leaf);
  }
  return nodes.length === 0 ? undefined : anyOf(nodes);
}

function dateOf(value: string, readDate: ReadDate): Leaf {
  if (value.includes("..")) return rangeOf(value, readDate);
  const [, operator = "=", text = ""] = COMPARISON.exec(value) ?? [];
  const moment = readDate(text);
  return moment && compare(operator, moment);
}

function rangeOf(value: string, readDate: ReadDate): Leaf {
  const [, low = "", high = ""] = RANGE.exec(value) ?? [];
  const [from, to] = [readDate(low), readDate(high)];
  return from && to ? between(from.hour, to.hour + HOUR) : "unreadable";
}

const epoch = (operator: "gte" | "lt", value: number): SearchNode => ({
  kind: "compare",
  field: "epoch",
  operator,
  value,
});
const between = (from: number, to: number): SearchNode => allOf([epoch("gte", from), epoch("lt", to)]);

/** Both sides count whole hours, so "after" begins with the next one. */
function compare(operator: string, { hour, from, to }: Moment): SearchNode {
  if (operator === ">") return epoch("gte", hour + HOUR);
  if (operator === ">=") return epoch("gte", hour);
  if (operator === "<") return epoch("lt", hour);
  return operator === "<=" ? epoch("lt", hour + HOUR) : between(from, to);
}
