import { expect, test } from "vitest";
import { numbersIn, textsOf } from "./members.ts";

test.each([
  ["", []],
  ["5", [5]],
  ["0, 15,30 ,45", [0, 15, 30, 45]],
  ["8-11", [8, 9, 10, 11]],
  ["1, 1, -1", [1, -1]],
  ["5-3", undefined],
  ["a", undefined],
  ["1.5", undefined],
  ["0-100000", undefined],
])("the numbers in %o are %o", (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

test("a text is split at its commas", () => {
  expect(textsOf(" a, ,b c,")).toEqual(["a", "b c"]);
});
