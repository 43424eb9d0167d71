import { describe, expect, test } from "vitest";
import { createCalendar } from "../../lib/time/calendar.ts";
import { readDate } from "./dates.ts";

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;
const NOON = at("2026-05-20T12:00");
const context = { now: NOON, calendar: createCalendar(), zone: "UTC" };
const inZone = (zone: string, text: string, unit: "hour" | "day" = "hour") =>
  readDate(text, unit, { ...context, zone });
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });

describe("a date at hour precision", () => {
  test.each([
    ["2026-05-20", "2026-05-20T00:00", "2026-05-20T01:00", "2026-05-20T00:00", "2026-05-21T00:00"],
    ["2026.5.2", "2026-05-02T00:00", "2026-05-02T01:00", "2026-05-02T00:00", "2026-05-03T00:00"],
    ["05/20/2026", "2026-05-20T00:00", "2026-05-20T01:00", "2026-05-20T00:00", "2026-05-21T00:00"],
    ["2026/05", "2026-05-01T00:00", "2026-05-01T01:00", "2026-05-01T00:00", "2026-06-01T00:00"],
    ["2026", "2026-01-01T00:00", "2026-01-01T01:00", "2026-01-01T00:00", "2027-01-01T00:00"],
    ["Today", "2026-05-20T00:00", "2026-05-20T01:00", "2026-05-20T00:00", "2026-05-21T00:00"],
    ["yesterday", "2026-05-19T00:00", "2026-05-19T01:00", "2026-05-19T00:00", "2026-05-20T00:00"],
    ["NOW", "2026-05-20T12:00", "2026-05-20T13:00", "2026-05-20T12:00", "2026-05-20T13:00"],
    ["1779278399", "2026-05-20T11:00", "2026-05-20T12:00", "2026-05-20T11:00", "2026-05-20T12:00"],
  ])("%s", (text, from, to, start, end) => {
    expect(readDate(text, "hour", context)).toEqual({ at: span(from, to), whole: span(start, end) });
  });
});

describe("a date at day precision", () => {
  test.each([
    ["2026-05-20", "2026-05-20", "2026-05-21", "2026-05-20", "2026-05-21"],
    ["2026/05", "2026-05-01", "2026-05-02", "2026-05-01", "2026-06-01"],
    ["2026", "2026-01-01", "2026-01-02", "2026-01-01", "2027-01-01"],
    ["now", "2026-05-20", "2026-05-21", "2026-05-20", "2026-05-21"],
    ["1779278399", "2026-05-20", "2026-05-21", "2026-05-20", "2026-05-21"],
  ])("%s", (text, from, to, start, end) => {
    const midnight = (day: string): string => `${day}T00:00`;
    expect(readDate(text, "day", context)).toEqual({
      at: span(midnight(from), midnight(to)),
      whole: span(midnight(start), midnight(end)),
    });
  });
});

describe("dates of searches", () => {
  test("are days of the zone", () => {
    expect(inZone("America/New_York", "2026-05-20")?.whole).toEqual(span("2026-05-20T04:00", "2026-05-21T04:00"));
    expect(inZone("Asia/Tokyo", "now", "day")?.at).toEqual(span("2026-05-19T15:00", "2026-05-20T15:00"));
  });

  test("are 23 or 25 hours long when clocks change", () => {
    const hours = (text: string): number => {
      const { from = 0, to = 0 } = inZone("Europe/Berlin", text, "day")?.at ?? {};
      return (to - from) / 3600;
    };
    expect([hours("2026-03-29"), hours("2026-10-25"), hours("2026-05-01")]).toEqual([23, 25, 24]);
  });

  test("begin when clocks skip their midnight", () => {
    // Chile skips from 23:59:59 to 01:00.
    expect(inZone("America/Santiago", "2026-09-06")?.whole.from).toBe(at("2026-09-06T04:00"));
  });

  test("have hours of local time in zones with half hours", () => {
    expect(inZone("Asia/Kolkata", "now")?.at).toEqual({ from: NOON - 1800, to: NOON + 1800 });
  });

  test("of five digits and more are instants", () => {
    expect(readDate("20260", "hour", context)?.at.from).toBe(18_000);
  });

  test.each(["", "abc", "2026-13", "2026-02-30", "99999999999999999999", "13/40/2026", "-5"])(
    "%j is no date",
    (text) => {
      expect(readDate(text, "hour", context)).toBeUndefined();
    },
  );
});
