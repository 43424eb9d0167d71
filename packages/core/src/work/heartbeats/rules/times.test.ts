import { describe, expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import { isSchedule, isZone, timesOf } from "./times.ts";

const rules = { calendar: createCalendar(), zone: "UTC" };
const seconds = (text: string): number => Date.parse(text) / 1000;
const text = (moment: number): string => (Number.isFinite(moment) ? new Date(moment * 1000).toISOString() : "never");

describe("the next time of a heartbeat", () => {
  test.each<[string, Parameters<typeof timesOf>[0], string, string]>([
    ["called every hour", { every: 3600 }, "2026-05-04T10:20:30Z", "2026-05-04T11:20:30.000Z"],
    ["of a line of cron", { schedule: "30 2 * * 1-5" }, "2026-05-01T02:30:00Z", "2026-05-04T02:30:00.000Z"],
    [
      "of a line of cron with either day",
      { schedule: "0 0 1 * 1" },
      "2026-05-02T00:00:00Z",
      "2026-05-04T00:00:00.000Z",
    ],
    [
      "of members of a trigger",
      { schedule: { hours: [4], minutes: [0] } },
      "2026-05-04T04:00:01Z",
      "2026-05-05T04:00:00.000Z",
    ],
    [
      "of several triggers",
      {
        schedule: [
          { hours: [4], minutes: [0] },
          { type: "interval", start: 0, duration: 21_600 },
        ],
      },
      "2026-05-04T04:00:00Z",
      "2026-05-04T06:00:00.000Z",
    ],
    ["that never comes", { schedule: { years: [1999], hours: [4] } }, "2026-05-04T04:00:00Z", "never"],
    [
      "in a zone of its own",
      { schedule: "0 3 * * *", timezone: "Europe/Berlin" },
      "2026-05-04T00:59:00Z",
      "2026-05-04T01:00:00.000Z",
    ],
    [
      "that clocks skip",
      { schedule: "30 2 * * *", timezone: "Europe/Berlin" },
      "2026-03-28T12:00:00Z",
      "2026-03-29T01:00:00.000Z",
    ],
    [
      "that clocks repeat",
      { schedule: "30 2 * * *", timezone: "Europe/Berlin" },
      "2026-10-25T00:30:00Z",
      "2026-10-26T01:30:00.000Z",
    ],
  ])("%s", (_which, heartbeat, moment, next) => {
    expect(text(timesOf(heartbeat, rules).after(seconds(moment)))).toBe(next);
  });

  const hourly = timesOf({ schedule: "@hourly" }, rules);
  const daily = timesOf({ schedule: "@daily" }, rules);
  const untilMidnight = timesOf({ schedule: { years: [2026], months: [5], days: [4], minutes: [0, 30] } }, rules);
  const once = timesOf({ schedule: { years: [2026], months: [5], days: [5], hours: [0], minutes: [0] } }, rules);
  test.each([
    ["of the time before the last one", untilMidnight, "2026-05-04T23:02:00Z", "2026-05-04T23:30:00.000Z"],
    ["two minutes early of the last time", untilMidnight, "2026-05-04T23:28:00Z", "never"],
    ["an hour early of the only time", once, "2026-05-04T23:00:00Z", "never"],
    ["six minutes early of an hour", hourly, "2026-05-04T10:54:00Z", "2026-05-04T12:00:00.000Z"],
    ["seven minutes early of an hour", hourly, "2026-05-04T10:53:00Z", "2026-05-04T11:00:00.000Z"],
    ["an hour early of a day", daily, "2026-05-04T23:00:00Z", "2026-05-06T00:00:00.000Z"],
    ["more than an hour early of a day", daily, "2026-05-04T22:59:59Z", "2026-05-05T00:00:00.000Z"],
    ["in time", daily, "2026-05-05T00:00:00Z", "2026-05-06T00:00:00.000Z"],
  ])("after a call %s", (_which, times, moment, next) => {
    expect(text(times.afterSign(seconds(moment)))).toBe(next);
  });
});

test.each<[unknown, boolean]>([
  ["0 3 * * *", true],
  ["@weekly", true],
  ["three o'clock", false],
  ["61 3 * * *", false],
  [{ hours: [3] }, true],
  [{ hours: [24] }, false],
  [{ type: "single", epoch: 5 }, false],
  [{ type: "interval", start: 0, duration: 60 }, true],
  [[], false],
  [Array.from({ length: 11 }, () => ({ hours: [3] })), false],
  [5, false],
])("the text %j is a valid schedule: %s", (schedule, isGood) => {
  expect(isSchedule(schedule)).toBe(isGood);
});

test.each<[unknown, boolean]>([
  ["Europe/Berlin", true],
  ["Europe/Nowhere", false],
  ["", false],
  [1, false],
])("the text %j is a valid zone: %s", (zone, isGood) => {
  expect(isZone(zone)).toBe(isGood);
});
