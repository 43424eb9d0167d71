import { expect, test } from "vitest";
import { createCalendar } from "./calendar.ts";
import { lastMark } from "./last-mark.ts";

const calendar = createCalendar();
const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 4, day, hour, minute) / 1000;

test.each([
  ["before the mark it is yesterday's", at(20, 3, 59), "UTC", at(19, 4)],
  ["at the mark it is today's", at(20, 4), "UTC", at(20, 4)],
  ["late in the day it is still today's", at(20, 23, 59), "UTC", at(20, 4)],
  ["local time of the zone counts", at(20, 7, 59), "America/New_York", at(19, 4)],
  ["and is returned with its own time", at(20, 8), "America/New_York", at(20, 4)],
])("%s", (_fact, now, zone, expected) => {
  expect(lastMark(now, "4:00", { calendar, zone })).toBe(expected);
});

test.each([
  ["Europe/Berlin", "2026-10-24T12:00Z"],
  ["America/Havana", "2026-10-31T12:00Z"],
  ["Asia/Beirut", "2026-10-24T06:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T03:00Z"],
  ["Europe/Berlin", "2026-03-28T12:00Z"],
])("in %s each mark comes once while clocks change after %s", (zone, begin) => {
  const first = Date.parse(begin) / 1000;
  for (const mark of ["00:00", "00:30", "01:30", "01:45", "02:30", "02:59", "03:00", "04:30", "23:30"]) {
    const marks: number[] = [];
    for (let minute = first; minute < first + 86_400; minute += 60) {
      const last = lastMark(minute, mark, { calendar, zone });
      if (last !== marks.at(-1)) marks.push(last);
    }
    expect(marks.slice(1), mark).toEqual([(marks[0] ?? 0) + 86_400]);
  }
});
