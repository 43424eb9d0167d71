import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCalendar } from "../../lib/time/calendar.ts";
import { type Moment, momentOf, secondsOf } from "./moment.ts";

const calendar = createCalendar();
const at = (text: string): number => Date.parse(text) / 1000;
const read = (moment: Moment, now: string, zone = "Europe/Berlin"): string =>
  new Date(momentOf(moment, at(now), { calendar, zone }) * 1000).toISOString().replace(".000", "");

describe("a time of the test box", () => {
  test.each<[string, Moment, string, string]>([
    ["of this day", "12:00", "2026-05-01T09:00:00Z", "2026-05-01T10:00:00Z"],
    ["with seconds", "12:00:15", "2026-05-01T09:00:00Z", "2026-05-01T10:00:15Z"],
    ["a time that is over is tomorrow's", "12:00", "2026-05-01T10:00:01Z", "2026-05-02T10:00:00Z"],
    ["the present time is tomorrow's", "12:00", "2026-05-01T10:00:00Z", "2026-05-02T10:00:00Z"],
    ["within this minute", "12:00:30", "2026-05-01T10:00:10Z", "2026-05-01T10:00:30Z"],
    ["a time that is skipped by the clocks", "02:30", "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z"],
    ["the first time after the jump", "03:00", "2026-03-28T23:00:00Z", "2026-03-29T01:00:00Z"],
    ["after the jump", "02:30", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
    ["a repeated time, first", "02:30", "2026-10-24T23:00:00Z", "2026-10-25T00:30:00Z"],
    ["a repeated time, second", "02:30", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"],
    ["a date in local time", "2026-03-30 02:30", "2026-01-01T00:00:00Z", "2026-03-30T00:30:00Z"],
    ["a date that is skipped by the clocks", "2026-03-29T02:30:10", "2026-01-01T00:00:00Z", "2026-03-29T01:00:00Z"],
    ["a date with a repeated time", "2026-10-25 02:30:05", "2026-01-01T00:00:00Z", "2026-10-25T00:30:05Z"],
    ["at the beginning of a date", "2026-05-01", "2026-01-01T00:00:00Z", "2026-04-30T22:00:00Z"],
    ["with a zone", "2026-05-01T02:30:00+05:00", "2026-01-01T00:00:00Z", "2026-04-30T21:30:00Z"],
    ["in Unix seconds", at("2026-05-01T00:00:00Z"), "2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"],
    ["as a Date", new Date("2026-05-01T00:00:00Z"), "2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"],
  ])("%s", (_name, moment, now, expected) => {
    expect(read(moment, now)).toBe(expected);
  });

  test.each<Moment>(["", "24:00", "12:60", "noon", "2026-02-31 x", Number.NaN, new Date("x")])(
    "%s is no time",
    (moment) => {
      expect(() => read(moment, "2026-01-01T00:00:00Z")).toThrow(RangeError);
    },
  );

  test("a time of day is always later, and within two days", () => {
    const zones = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC");
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((part) => `${part}`.padStart(2, "0")).join(":"));
    fc.assert(
      fc.property(fc.integer({ min: 1_767_225_600, max: 1_830_297_600 }), time, zones, (now, text, zone) => {
        const moment = momentOf(text, now, { calendar, zone });
        expect(moment).toBeGreaterThan(now);
        expect(moment - now).toBeLessThanOrEqual(2 * 86_400);
      }),
      { numRuns: 200 },
    );
  });
});

test("durations add up", () => {
  expect(secondsOf({ days: 1, hours: 1, minutes: 1, seconds: 0.5 })).toBe(90_060.5);
  for (const seconds of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => secondsOf({ seconds })).toThrow("Not a length of time");
});
