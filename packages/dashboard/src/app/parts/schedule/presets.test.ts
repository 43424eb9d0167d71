import { expect, test } from "vitest";
import { fromCron } from "./cron.ts";
import { kindOf, listsOf } from "./presets.ts";

const schedule = (cron: string) => ({ type: "schedule", enabled: true, ...fromCron(cron) });

test.each([
  ["*/5 * * * *", "minutes"],
  ["10 * * * *", "hour"],
  ["30 4 * * *", "day"],
  ["0 8,20 * * *", "day"],
  ["30 2 * * 1-5", "week"],
  ["0 3 1 * *", "month"],
  ["30 2 * * 6", undefined],
  ["0 3 1 6 *", undefined],
  ["0 3 1 * 1", undefined],
  ["* 3 * * *", undefined],
])("%s is the pattern %s", (cron, kind) => expect(kindOf(schedule(cron))).toBe(kind));

test("a schedule with certain years has a pattern of its own", () =>
  expect(kindOf({ ...schedule("30 4 * * *"), years: [2027] })).toBeUndefined());

test.each([
  ["30 4 * * *", "week", { minutes: [30], hours: [4], weekdays: [1, 2, 3, 4, 5] }],
  ["30 4 * * *", "hour", { minutes: [0], hours: [] }],
  ["10 * * * *", "day", { minutes: [30], hours: [2] }],
] as const)("%s becomes %s and keeps its time of the day", (cron, kind, lists) =>
  expect(listsOf(kind, schedule(cron))).toMatchObject(lists),
);
