import { expect, test } from "vitest";
import { durationSeconds } from "./duration.ts";

test.each([
  ["10 years", 315_360_000],
  ["90 days", 7_776_000],
  ["1 week 2 days", 777_600],
  ["1.5h", 5400],
  ["3600", 3600],
  ["6 months", 360],
  ["5 fortnights", 0],
  ["for ever", 0],
  ["", 0],
])("%s is %d seconds", (text, expected) => {
  expect(durationSeconds(text)).toBe(expected);
});
