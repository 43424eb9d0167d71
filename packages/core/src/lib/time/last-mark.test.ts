import { expect, test } from "vitest";
import { createCalendar } from "./calendar.ts";
import { lastMark } from "./last-mark.ts";

const calendar = createCalendar();
const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 4, day, hour, minute) / 1000;

test.each([
  ["before the mark it is yesterday's", at(20, 3, 59), "UTC", at(19, 4)],
  ["at the mark it is today's", at(20, 4), "UTC", at(20, 4)],
  ["late in the day it is still today's", at(20, 23, 59), "UTC", at(20, 4)],
  ["the wall of the zone counts", at(20, 7, 59), "America/New_York", at(19, 4)],
  ["and tells its own time", at(20, 8), "America/New_York", at(20, 4)],
])("%s", (_fact, now, zone, expected) => {
  expect(lastMark(now, "4:00", { calendar, zone })).toBe(expected);
});

test.each([
  ["an hour comes twice", "2026-10-24T22:00Z", "Europe/Berlin", ["2:00", "2:01", "2:30", "2:59", "3:00"]],
  ["an hour is left out", "2026-03-28T22:00Z", "Europe/Berlin", ["1:59", "2:00", "2:30", "2:59", "3:00"]],
  ["midnight comes twice", "2026-10-31T12:00Z", "America/Havana", ["0:00", "0:30", "1:00", "23:30"]],
])("each mark is passed once a day where %s", (_fact, start, zone, marks) => {
  const begin = Date.parse(start) / 1000;
  const minutes = Array.from({ length: 36 * 60 }, (_, minute) => begin + minute * 60);
  for (const mark of marks) {
    const seen = minutes.map((now) => lastMark(now, mark, { calendar, zone }));
    expect(seen).toEqual(seen.toSorted((one, two) => one - two));
    expect(new Set(seen).size, mark).toBeLessThanOrEqual(3);
  }
});
