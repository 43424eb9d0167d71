import { expect, test } from "vitest";
import { extentOf } from "./drawing.ts";

test.each([
  ["of values", [3, 1, 4, 1, 5], { low: 1, lowAt: 1, high: 5, highAt: 4, last: 5 }],
  ["that ends with nothing", [2, 7, null], { low: 2, lowAt: 0, high: 7, highAt: 1, last: 7 }],
  ["below zero", [-2, -7], { low: -7, lowAt: 1, high: -2, highAt: 0, last: -7 }],
  ["of nothing", [null, null], undefined],
  ["without anything", [], undefined],
])("the ends of a list %s are found", (_what, values, expected) => {
  expect(extentOf(values)).toEqual(expected);
});
