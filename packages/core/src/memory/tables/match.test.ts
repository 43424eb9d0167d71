import { expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { allOf, anyOf, type SearchNode } from "../../search/ast.ts";
import { compileMatcher, type IndexedRow, placeWords } from "./match.ts";

const definition = {
  name: "texts",
  noun: "Text",
  columns: { n: { type: "integer" as const, read: () => 1 } },
  terms: { tags: () => [] },
  text: { body: () => [] },
};
const row = (words: readonly string[]): IndexedRow => ({
  id: "a",
  columns: { n: 1 },
  terms: { tags: new Set(["x"]) },
  text: { body: placeWords(words) },
});
const text = (...phrases: string[][]): SearchNode => ({ kind: "text", field: "body", phrases });
const words = Array.from({ length: 1000 }, (_unused, index) => `w${index}`);
const again = Array.from({ length: 250 }, () => "again");

const rows = Array.from({ length: 2000 }, () => row([...again, ...words.slice(500), ...words]));

test.each<[string, SearchNode]>([
  ["a thousand absent alternatives", text(...words.map((word) => [`${word}x`]))],
  ["a thousand phrases", text(...words.map((word) => [word, "x"]))],
  ["a long phrase that is present except for its end", text([...words.slice(0, 249), "x"])],
  ["a word repeated", text([...again, "x"])],
  ["hundreds of words", allOf(words.slice(0, 250).map((word) => text([word])))],
  ["hundreds of absent words", allOf(words.slice(0, 250).map((word) => ({ kind: "not", node: text([`${word}x`]) })))],
  ["a thousand absent tags", { kind: "term", field: "tags", words }],
  [
    "hundreds of numbers",
    anyOf(words.slice(0, 250).map(() => ({ kind: "compare", field: "n", operator: "gt", value: 1 }))),
  ],
])("%s take milliseconds over two thousand long texts", (_name, node) => {
  const matches = compileMatcher(definition, node);
  let found = 0;
  const cost = threadMs(() => {
    for (const each of rows) if (matches(each)) found += 1;
  });
  expect([0, rows.length]).toContain(found);
  expect(cost).toBeLessThan(3000);
});
