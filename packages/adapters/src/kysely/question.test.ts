import type { SearchNode } from "@signalbox/core/storage";
import { expect, test } from "vitest";
import { textOf, textOfPage } from "./question.ts";

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

test("conditions that differ have texts that differ", () => {
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

test("pages that differ have texts that differ", () => {
  const pages = [
    ...[{}, { limit: 1 }, { offset: 1 }, { sortBy: "id" }, { sortBy: "id", descending: true }, { limit: 1, offset: 1 }],
    ...[{ sortBy: "id", limit: 11 }, { sortBy: "id", offset: 11 }, { sortBy: "num" }, { descending: true }],
  ];
  expect(new Set(pages.map(textOfPage)).size).toBe(pages.length);
});
