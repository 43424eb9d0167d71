import { expect, test } from "vitest";
import { timeMarks, valueMarks } from "./marks.ts";

const at = (date: string): number => Date.parse(date) / 1000;
const berlin = "Europe/Berlin";

/** The marks in local time of the zone. */
const walls = (marks: readonly number[], zone: string): string[] =>
  marks.map((mark) => new Date(mark * 1000).toLocaleString("sv-SE", { timeZone: zone }).slice(0, 16));

test.each([
  [
    "a minute by ten seconds",
    ["2026-11-24T10:00:03Z", "2026-11-24T10:01:03Z", "UTC"],
    ["10:00:10", "10:00:20", "10:00:30", "10:00:40", "10:00:50", "10:01:00"],
  ],
  [
    "an hour by ten minutes",
    ["2026-11-24T10:04Z", "2026-11-24T11:04Z", "UTC"],
    ["10:10:00", "10:20:00", "10:30:00", "10:40:00", "10:50:00", "11:00:00"],
  ],
  [
    "half an hour past the full one in a zone of halves",
    ["2026-11-24T10:00Z", "2026-11-24T16:00Z", "Asia/Kolkata"],
    ["10:30:00", "11:30:00", "12:30:00", "13:30:00", "14:30:00", "15:30:00"],
  ],
])("time is marked: %s", (_what, [from = "", to = "", zone = ""], expected) => {
  const marks = timeMarks({ from: at(from), to: at(to), most: 6 }, zone);
  expect(marks.map((mark) => new Date(mark * 1000).toISOString().slice(11, 19))).toEqual(expected);
});

test.each([
  [
    "four hours apart, and three where clocks go forward between",
    ["2026-03-28T23:00Z", "2026-03-29T22:00Z"],
    ["00:00", "04:00", "08:00", "12:00", "16:00", "20:00", "00:00"],
  ],
  [
    "and five where they go back",
    ["2026-10-24T22:00Z", "2026-10-25T22:00Z"],
    ["00:00", "04:00", "08:00", "12:00", "16:00", "20:00"],
  ],
  [
    "a repeated hour has two",
    ["2026-10-24T23:00Z", "2026-10-25T03:00Z"],
    ["01:00", "02:00", "02:00", "03:00", "04:00"],
  ],
  ["a skipped hour has none", ["2026-03-28T23:30Z", "2026-03-29T03:30Z"], ["01:00", "03:00", "04:00", "05:00"]],
])("clocks of Berlin are marked: %s", (_what, [from = "", to = ""], expected) => {
  const marks = timeMarks({ from: at(from), to: at(to), most: 6 }, berlin);
  expect(walls(marks, berlin).map((wall) => wall.slice(11))).toEqual(expected);
});

test.each([
  [
    "days begin at midnight",
    ["2026-10-23T00:00Z", "2026-10-27T12:00Z"],
    ["10-24 00:00", "10-25 00:00", "10-26 00:00", "10-27 00:00"],
  ],
  [
    "weeks begin on Mondays",
    ["2026-10-20T00:00Z", "2026-11-20T00:00Z"],
    ["10-26 00:00", "11-02 00:00", "11-09 00:00", "11-16 00:00"],
  ],
  [
    "months begin with their first",
    ["2026-08-15T00:00Z", "2026-12-10T00:00Z"],
    ["09-01 00:00", "10-01 00:00", "11-01 00:00", "12-01 00:00"],
  ],
])("%s", (_what, [from = "", to = ""], expected) => {
  const marks = timeMarks({ from: at(from), to: at(to), most: 5 }, berlin);
  expect(walls(marks, berlin).map((wall) => wall.slice(5))).toEqual(expected);
});

test("a century has a mark each 20 years", () => {
  const marks = timeMarks({ from: at("1925-01-01T00:00Z"), to: at("2024-01-01T00:00Z"), most: 6 }, "UTC");
  expect(walls(marks, "UTC").map((wall) => wall.slice(0, 4))).toEqual(["1940", "1960", "1980", "2000", "2020"]);
});

test.each([
  ["0 to 110", [0, 110, 4], [0, 50, 100]],
  ["0 to 100", [0, 100, 4], [0, 25, 50, 75, 100]],
  ["a narrow range", [87.5, 90.5, 4], [88, 89, 90]],
  ["a range that contains only one round value", [15.5, 24.5, 3], [16, 18, 20, 22, 24]],
  ["below zero", [-11, 5.5, 4], [-10, -5, 0, 5]],
  ["fractions without their noise", [0, 0.33, 4], [0, 0.1, 0.2, 0.3]],
  ["very large ones", [0, 3e12, 4], [0, 1e12, 2e12, 3e12]],
  ["very small ones", [0, 1e-9, 4], [0, 2.5e-10, 5e-10, 7.5e-10, 1e-9]],
])("values are marked: %s", (_what, [low = 0, high = 0, most = 0], expected) => {
  expect(valueMarks(low, high, { most })).toEqual(expected);
});

test.each([
  ["a few things", [0, 2.2, 4], [0, 1, 2]],
  ["some more", [0, 9, 4], [0, 5]],
])("counts have whole marks: %s", (_what, [low = 0, high = 0, most = 0], expected) => {
  expect(valueMarks(low, high, { most, isWhole: true })).toEqual(expected);
});
