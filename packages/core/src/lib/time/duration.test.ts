import { expect, test } from "vitest";
import { durationSeconds, isDurationText } from "./duration.ts";

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

test.each([
  ["10 years", true],
  ["1 week, 2 days", true],
  ["1.5h", true],
  ["1h30m", true],
  [" 0 ", true],
  ["90 mins", true],
  ["6 months", false],
  ["6 mo", false],
  ["5 fortnights", false],
  ["-5 days", false],
  ["for ever", false],
  ["days", false],
  ["", false],
])("%s can be a duration: %s", (text, expected) => {
  expect(isDurationText(text)).toBe(expected);
});
