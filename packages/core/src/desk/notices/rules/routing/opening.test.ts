import { expect, test } from "vitest";
import { createCalendar } from "../../../../lib/time/calendar.ts";
import { opensAt } from "./opening.ts";

const office = { weekdays: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" };
const night = { from: "22:00", to: "06:00" };
const rules = (zone: string) => ({ calendar: createCalendar(), zone });

test.each<[string, Parameters<typeof opensAt>[0], string, string, string | undefined]>([
  ["this morning", [office], "UTC", "2026-11-25T03:00Z", "2026-11-25T08:00Z"],
  ["after the weekend", [office], "UTC", "2026-11-27T18:00Z", "2026-11-30T08:00Z"],
  ["the first of several", [office, night], "UTC", "2026-11-27T18:00Z", "2026-11-27T22:00Z"],
  ["by the clock of the zone", [office], "America/New_York", "2026-11-25T03:00Z", "2026-11-25T13:00Z"],
  [
    "of the window itself",
    [{ ...office, timezone: "UTC" }],
    "America/New_York",
    "2026-11-25T03:00Z",
    "2026-11-25T08:00Z",
  ],
  ["over a change of clocks", [office], "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-26T07:00Z"],
  ["on the last day of the month", [{ ...night, days: [-1] }], "UTC", "2026-11-01T00:00Z", "2026-11-30T22:00Z"],
  ["on the next such day", [{ ...night, days: [31] }], "UTC", "2026-11-01T00:00Z", "2026-12-31T22:00Z"],
  ["without windows", [], "UTC", "2026-11-01T00:00Z", undefined],
])("a route opens %s", (_when, windows, zone, now, expected) => {
  const found = opensAt(windows, Date.parse(now) / 1000, rules(zone));
  expect(found && new Date(found * 1000).toISOString()).toBe(expected && new Date(expected).toISOString());
});
