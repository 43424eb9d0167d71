import { expect, test } from "vitest";
import { countRequest, isOverRate } from "./rate.ts";

test("requests are counted within the whole second, from zero in the next", () => {
  const first = countRequest(undefined, 100.1);
  const second = countRequest(first, 100.999);
  expect(second).toEqual({ second: 100, count: 2 });
  expect(countRequest(second, 101)).toEqual({ second: 101, count: 1 });
});

test.each<[number, number | null | undefined, boolean]>([
  [1, 1, false],
  [2, 1, true],
  [1_000_000, 0, false],
  [1_000_000, undefined, false],
  [1_000_000, null, false],
  [1, 0.5, true],
])("%d requests at a limit of %s are too many: %s", (count, limit, expected) => {
  expect(isOverRate({ second: 1, count }, limit)).toBe(expected);
});
