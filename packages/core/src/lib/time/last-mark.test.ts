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
