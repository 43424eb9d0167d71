import { expect, test } from "vitest";
import { compileLineFilter } from "./regex-lines.ts";

const LINES = ["one Tea", "two tea", "three"];

test.each([
  ["tea", false, ["two tea"]],
  ["TEA", true, ["one Tea", "two tea"]],
  ["^t", false, ["two tea", "three"]],
  ["(?<n>e)\\k<n>", false, ["three"]],
  ["", false, LINES],
])("%s (ignoring case: %s) matches %j", (pattern, ignoreCase, expected) => {
  expect(compileLineFilter(pattern, { ignoreCase })(LINES)).toEqual(expected);
});

test.each([
  ["(", "Invalid regular expression"],
  ["a".repeat(1001), "length limit"],
])("%s is no pattern", (pattern, message) => {
  expect(() => compileLineFilter(pattern)).toThrow(message);
});

test("a pattern without an end is given up, and the next lines can be matched", () => {
  const filter = compileLineFilter("^(a+)+$");
  expect(() => filter([`${"a".repeat(40)}!`])).toThrow("Regular expression takes too long");
  expect(filter(["aaa"])).toEqual(["aaa"]);
});
