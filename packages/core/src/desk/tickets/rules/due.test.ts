import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import { readDue } from "../../../wire/fields/due.ts";
import { dueTime } from "./due.ts";

const at = (text: string): number => Date.parse(text) / 1000;
/** A Wednesday. */
const NOW = at("2026-05-20T12:00:00Z");
const calendar = createCalendar();

function dueOf(value: unknown, zone = "UTC", now = NOW): number | undefined {
  const due = readDue(value);
  return due && dueTime(due, { now, calendar, zone });
}

describe("a due date", () => {
  test.each([
    [0, 0],
    ["", 0],
    ["  ", 0],
    [null, 0],
    [undefined, 0],
    [false, 0],
    ["0", 0],
    [315_360_000, 315_360_000],
    [1_779_278_400.7, 1_779_278_400],
    ["1779278400", 1_779_278_400],
    [3600, at("2026-05-20T00:00:00Z")],
    ["43200", at("2026-05-21T00:00:00Z")],
    ["3 days", at("2026-05-23T00:00:00Z")],
    ["1d", at("2026-05-21T00:00:00Z")],
    ["1 Week", at("2026-05-27T00:00:00Z")],
    ["2w 1d", at("2026-06-04T00:00:00Z")],
    ["1d, 12 hours", at("2026-05-22T00:00:00Z")],
    ["1.5d", at("2026-05-22T00:00:00Z")],
    ["90 minutes", at("2026-05-20T00:00:00Z")],
    ["12h60m", at("2026-05-21T00:00:00Z")],
    ["1 year", at("2027-05-20T00:00:00Z")],
    ["10 years", at("2036-05-17T00:00:00Z")],
    ["1 month", at("2026-06-19T00:00:00Z")],
    ["2 months", at("2026-07-19T00:00:00Z")],
    ["6mo", at("2026-11-16T00:00:00Z")],
    ["2026-06-01", at("2026-06-01T00:00:00Z")],
    ["2026/6/1", at("2026-06-01T00:00:00Z")],
    ["2024-02-29", at("2024-02-29T00:00:00Z")],
  ])("of %j", (value, expected) => {
    expect(dueOf(value)).toBe(expected);
  });

  test.each([
    "soon",
    "3 fortnights",
    "3 days ago",
    "-1 day",
    "2026-02-30",
    "2026-13-01",
    "2026-05",
    "5/20/2026",
    -5,
    Number.POSITIVE_INFINITY,
    1e20,
    "99999999999999999999 years",
    {},
    [1],
    true,
  ])("cannot be read from %j", (value) => {
    expect(readDue(value)).toBeUndefined();
  });

  test("is midnight in the time zone of the installation", () => {
    // 21:00 in New York, so "today" is still the 19th there.
    const evening = at("2026-05-20T01:00:00Z");
    expect(dueOf("1 day", "America/New_York", evening)).toBe(at("2026-05-20T04:00:00Z"));
    expect(dueOf("1 day", "Asia/Kolkata", evening)).toBe(at("2026-05-20T18:30:00Z"));
    expect(dueOf("2026-12-01", "America/New_York")).toBe(at("2026-12-01T05:00:00Z"));
    expect(dueOf("2026-06-01", "America/New_York")).toBe(at("2026-06-01T04:00:00Z"));
  });

  test("stays midnight across a clock change, and where midnight is skipped", () => {
    expect(dueOf("10 days", "Europe/Berlin", at("2026-03-22T12:00:00Z"))).toBe(at("2026-03-31T22:00:00Z"));
    expect(dueOf("2024-04-26", "Africa/Cairo")).toBe(at("2024-04-25T22:00:00Z"));
  });
});
