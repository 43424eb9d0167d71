import { expect, test } from "vitest";
import { joinedText, onlyText, textOf, textOrNothing, textsOf } from "./text-of.ts";

test.each([
  ["a", "a", "a", "a", "a"],
  [1.5, "1.5", "1.5", "1.5", ""],
  [false, "false", "false", "false", ""],
  [undefined, "undefined", "", "", ""],
  [null, "null", "", "", ""],
  [{ a: 1 }, '{"a":1}', '{"a":1}', '{"a":1}', ""],
  [["a", null, [1, { b: 2 }]], '["a",null,[1,{"b":2}]]', '["a",null,[1,{"b":2}]]', 'a,,1,{"b":2}', ""],
])("%j as text", (value, text, orNothing, joined, only) => {
  expect([textOf(value), textOrNothing(value), joinedText(value), onlyText(value)]).toEqual([
    text,
    orNothing,
    joined,
    only,
  ]);
});

test.each([
  [
    ["a", "", 1, null, "b"],
    ["a", "b"],
  ],
  ["a", []],
  [undefined, []],
])("the texts of %j are %j", (value, expected) => {
  expect(textsOf(value)).toEqual(expected);
});
