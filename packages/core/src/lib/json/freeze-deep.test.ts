import { expect, test } from "vitest";
import { freezeDeep } from "./freeze-deep.ts";

test("freezes all values inside and returns the same value", () => {
  const value = { a: { b: [{ c: 1 }] }, n: null, t: "x" };
  expect(freezeDeep(value)).toBe(value);
  for (const part of [value, value.a, value.a.b, value.a.b[0]]) expect(Object.isFrozen(part)).toBe(true);
});

test("passes values that cannot be frozen", () => {
  expect(freezeDeep(5)).toBe(5);
  expect(freezeDeep(null)).toBeNull();
  expect(freezeDeep(undefined)).toBeUndefined();
});

test("ends for recursive records", () => {
  const value: { self?: unknown } = {};
  value.self = value;
  expect(Object.isFrozen(freezeDeep(value))).toBe(true);
});
