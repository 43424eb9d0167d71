import { expect, test } from "vitest";
import { readInteger } from "./fields.ts";

test.each([
  ["5", 5],
  ["1,500", 1500],
  ["#5", 5],
  ["5.7", 5],
  ["-3", -3],
  ["abc", undefined],
  ["", undefined],
  [".5", undefined],
  ["--5", undefined],
  ["9007199254740993", undefined],
])("the integer in %j", (text, number) => {
  expect(readInteger(text)).toBe(number);
});
