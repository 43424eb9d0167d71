import { defineCollection, type SearchNode, type StoredRecord } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { shapeOf, textOf, textOfPage, valuesOf } from "./question.ts";

const term = (field: string, ...words: string[]): SearchNode => ({ kind: "term", field, words });
const text = (field: string, ...phrases: string[][]): SearchNode => ({ kind: "text", field, phrases });
const compare = (value: string | number | null, operator: "eq" | "lt" | "lte" = "eq"): SearchNode => ({
  ...{ kind: "compare", field: "num", operator, value },
});
const all: SearchNode = { kind: "all" };
const none: SearchNode = { kind: "none" };
const not = (node: SearchNode): SearchNode => ({ kind: "not", node });
const and = (...nodes: SearchNode[]): SearchNode => ({ kind: "and", nodes });
const or = (...nodes: SearchNode[]): SearchNode => ({ kind: "or", nodes });

test("different conditions have different texts", () => {
  const conditions = [
    ...[all, none, not(all), not(none), and(), or(), and(all)],
    ...[
      term("a"),
      term("a", "b"),
      term("a", "b", "c"),
      term("a", "b,c"),
      term("a", 'b","c'),
      term("b", "a"),
      text("a"),
    ],
    ...[text("a", ["b"]), text("a", ["b"], ["c"]), text("a", ["b", "c"]), text("a", ["b,c"]), text("a", ["b"], [])],
    ...[
      compare(null),
      compare(Number.NaN),
      compare(Number.POSITIVE_INFINITY),
      compare("NaN"),
      compare("null"),
      compare(""),
    ],
    ...[compare(1), compare("1"), compare(1, "lt"), compare(1, "lte"), compare(1.5), compare(-1), compare(1e300)],
    ...[and(term("a", "b"), and(term("a", "c"), all)), and(term("a", "b"), and(term("a", "c")), all)],
    ...[and(not(term("a", "b")), all), not(and(term("a", "b"), all))],
  ];
  const texts = conditions.map(textOf);
  expect(new Set(texts).size).toBe(conditions.length);
  expect(structuredClone(conditions).map(textOf)).toEqual(texts);
});

test("different pages have different texts", () => {
  const pages = [
    ...[{}, { limit: 1 }, { offset: 1 }, { sortBy: "id" }, { sortBy: "id", descending: true }, { limit: 1, offset: 1 }],
    ...[{ sortBy: "id", limit: 11 }, { sortBy: "id", offset: 11 }, { sortBy: "num" }, { descending: true }],
  ];
  expect(new Set(pages.map(textOfPage)).size).toBe(pages.length);
});

const rated = defineCollection<StoredRecord>({
  ...{ name: "rated", noun: "Rating", terms: { a: () => [], b: () => [] } },
  columns: { num: { type: "real", read: () => 1 }, name: { type: "text", read: () => "" } },
});
const named = (value: string | number): SearchNode => ({ kind: "compare", field: "name", operator: "eq", value });

test.each<[string, SearchNode, SearchNode]>([
  ["words", term("a", "b", "c"), term("a", "d", "e")],
  ["numbers", compare(1, "lt"), compare(2.5, "lt")],
  ["texts", named("x"), named("y")],
  ["values that fit no column", compare("x"), compare(Number.NaN)],
  ["values that are no text", named(1), named(2)],
  [
    "groups",
    and(term("a", "b"), or(not(term("b", "c")), compare(1))),
    and(term("a", "c"), or(not(term("b", "d")), compare(2))),
  ],
])("one statement is used for other %s", (_what, one, other) => {
  expect(shapeOf(rated, other)).toBe(shapeOf(rated, one));
  expect(valuesOf(rated, other)).toHaveLength(valuesOf(rated, one).length);
});

test("conditions with statements of their own have different shapes", () => {
  const conditions = [
    ...[all, none, not(all), and(all, all), or(all, all), and(not(term("a", "b")), all), not(and(term("a", "b"), all))],
    ...[
      term("a", "b"),
      term("b", "b"),
      term("a", "b", "c"),
      compare(1),
      compare(1, "lt"),
      compare(1, "lte"),
      named("x"),
    ],
    ...[
      compare(null),
      compare(null, "lt"),
      compare("x"),
      and(term("a", "b"), compare(1)),
      and(compare(1), term("a", "b")),
    ],
  ];
  expect(new Set(conditions.map((condition) => shapeOf(rated, condition))).size).toBe(conditions.length);
});

test.each<[SearchNode, unknown[]]>([
  [all, []],
  [term("a", "b", "c"), ["a", "b", "c"]],
  [compare(1), [1]],
  [compare(null), []],
  [compare("x"), []],
  [named("x"), ["x"]],
  [and(term("a", "b"), not(or(compare(2, "lt"), term("b", "c")))), ["a", "b", 2, "b", "c"]],
])("values are given in the statement's order: %j", (condition, values) => {
  expect(valuesOf(rated, condition)).toEqual(values);
});
