import { expect, test } from "vitest";
import { durationSeconds, oldestKept } from "./retention.ts";

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

test("a list keeps as many buckets as fit into the time", () => {
  expect(oldestKept("monthly", 36_000, "2 hours")).toBe(8);
});

test("a text that names no time keeps everything", () => {
  expect(oldestKept("hourly", 36_000, "for ever")).toBeUndefined();
});
