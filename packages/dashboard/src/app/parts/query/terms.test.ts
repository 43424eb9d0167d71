import { expect, test } from "vitest";
import { isMeant, queryOf, termOf, termsOf } from "./terms.ts";

test.each([
  ["", []],
  ["disk", [{ text: "disk", value: "disk" }]],
  ["event:e1", [{ text: "event:e1", field: "event", value: "e1" }]],
  [
    'title:"a b" x',
    [
      { text: 'title:"a b"', field: "title", value: "a b" },
      { text: "x", value: "x" },
    ],
  ],
  ["-Tag:t1", [{ text: "-Tag:t1", field: "tag", value: "t1", isNot: true }]],
  ["tag:-t1", [{ text: "tag:-t1", field: "tag", value: "t1", isNot: true }]],
  ['"out of memory"', [{ text: '"out of memory"', value: '"out of memory"' }]],
  ['"open', [{ text: '"open', value: '"open' }]],
  [
    "(a or b) c",
    [
      { text: "(a or b)", value: "(a or b)" },
      { text: "c", value: "c" },
    ],
  ],
])("%j", (query, terms) => {
  expect(termsOf(query)).toEqual(terms);
  expect(queryOf(termsOf(query))).toBe(query);
});

test.each([
  ["event", "e1", "event:e1"],
  ["title", "a b", 'title:"a b"'],
  ["title", 'a "b"', 'title:"a b"'],
])("%s and %j are %s", (field, value, term) => expect(termOf(field, value)).toBe(term));

test.each([
  ["server:a", ["a"], true],
  ["server:a", ["b"], false],
  ["server:a|b", ["b"], true],
  ["-server:a", ["a"], false],
  ["server:-a|b", ["c"], true],
])("%s of a record with %j is %s", (query, own, isFound) => {
  expect(termsOf(query).map((term) => isMeant(term, (one) => own.includes(one)))).toEqual([isFound]);
});
