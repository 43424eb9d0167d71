import { describe, expect, test, vi } from "vitest";
import { createCalendar, isKnownZone, isRepeated, machineZone, OWN_ZONE, partsOf, skippedBefore } from "./calendar.ts";

const calendar = createCalendar();
const at = (text: string): number => Date.parse(text) / 1000;
const wall = (text: string, zone: string): string =>
  new Date(calendar.wallOf(at(text), zone) * 1000).toISOString().slice(0, 16);

describe("calendar", () => {
  test.each([
    ["2026-01-01T00:00Z", "UTC", "2026-01-01T00:00"],
    ["2026-07-01T12:00Z", "Europe/Berlin", "2026-07-01T14:00"],
    ["2026-07-01T12:00Z", "Asia/Kathmandu", "2026-07-01T17:45"],
    ["2026-01-01T00:30Z", "America/St_Johns", "2025-12-31T21:00"],
    // Newfoundland once changed its clocks at one minute past midnight.
    ["2010-03-14T03:30Z", "America/St_Johns", "2010-03-14T00:00"],
    ["2010-03-14T03:31Z", "America/St_Johns", "2010-03-14T01:01"],
  ])("%s in %s shows %s", (instant, zone, expected) => {
    expect(wall(instant, zone)).toBe(expected);
  });

  test("counts days from both ends of the month", () => {
    expect(partsOf(at("2028-02-29T23:59Z"))).toEqual({
      year: 2028,
      month: 2,
      day: 29,
      reverseDay: -1,
      weekday: 2,
      hour: 23,
      minute: 59,
    });
  });

  test("knows the repeated hour and no other", () => {
    const repeated = (text: string): boolean => isRepeated(calendar, at(text), "Europe/Berlin");
    expect([repeated("2026-10-25T00:59Z"), repeated("2026-10-25T01:00Z")]).toEqual([false, true]);
    expect([repeated("2026-10-25T01:59Z"), repeated("2026-10-25T02:00Z")]).toEqual([true, false]);
  });

  test("lists the skipped minutes in the first minute after the gap only", () => {
    const skipped = (text: string): number => skippedBefore(calendar, at(text), "Europe/Berlin").length;
    expect([skipped("2026-03-29T00:59Z"), skipped("2026-03-29T01:00Z"), skipped("2026-03-29T01:01Z")]).toEqual([
      0, 60, 0,
    ]);
  });

  test("a skipped day is a gap too", () => {
    expect(skippedBefore(calendar, at("2011-12-30T10:00Z"), "Pacific/Apia")).toHaveLength(1440);
  });

  test("distinguishes zones from words", () => {
    expect([isKnownZone("Europe/Berlin"), isKnownZone("Europe/Atlantis")]).toEqual([true, false]);
  });
});

test("the platform's zone of the machine is read once", () => {
  expect(machineZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  using asked = vi.spyOn(Intl, "DateTimeFormat");
  for (let ticket = 0; ticket < 100; ticket++) machineZone();
  expect(asked).not.toHaveBeenCalled();
});

test.each(["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"])(
  "a machine in %s shows the zone's time, also where clocks change",
  (zone) => {
    const before = process.env["TZ"];
    process.env["TZ"] = zone;
    try {
      const calendar = createCalendar();
      for (let minute = Date.UTC(2026, 0, 1) / 1000; minute < Date.UTC(2027, 0, 1) / 1000; minute += 1800)
        expect(calendar.wallOf(minute, OWN_ZONE)).toBe(calendar.wallOf(minute, zone));
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  },
);
