import { expect, test } from "vitest";
import { isFlag } from "./checks.ts";

test.each([
  [true, true],
  [0, true],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  ["true", false],
  [null, false],
  [{}, false],
])("%j as a flag: %s", (value, expected) => {
  expect(isFlag(value)).toBe(expected);
});
