import { describe, expect, test } from "vitest";
import { parserOf, toFloat, toInteger } from "./coerce.ts";

describe("toInteger", () => {
  test.each([
    [12.9, 12],
    [-12.9, -12],
    ["12abc", 12],
    [" -7", -7],
    ["abc", 0],
    ["", 0],
    [5e-7, 0],
    [1e22, 1e22],
    [-0.5, 0],
    [true, 0],
    [false, 0],
    [[5], 5],
    [[5, 6], 5],
    [{}, 0],
    [{ toString: 1 }, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    ["Infinity", 0],
    [undefined, 0],
    [null, 0],
  ])("reads %j as %d", (value, expected) => {
    expect(toInteger(value)).toBe(expected);
  });
});

describe("toFloat", () => {
  test.each([
    [2.26, 2.25999],
    [-1.000001, -1.00001],
    [99.999999, 99.99999],
    ["2.5x", 2.5],
    ["x", 0],
    [[5], 5],
    [true, 0],
    ["Infinity", 0],
    [Number.NEGATIVE_INFINITY, 0],
    [1e306, 1e306],
  ])("reads %j as %d", (value, expected) => {
    expect(toFloat(value)).toBe(expected);
  });
});

test("an unknown data type is read like a float", () => {
  expect(parserOf("furlongs")(1.5)).toBe(1.5);
});
