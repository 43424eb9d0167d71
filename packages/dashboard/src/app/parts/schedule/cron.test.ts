import { expect, test } from "vitest";
import { fromCron, toCron } from "./cron.ts";

const EMPTY = { minutes: [], hours: [], days: [], months: [], weekdays: [] };

test.each([
  ["30 2 * * *", { minutes: [30], hours: [2] }],
  ["*/15 * * * *", { minutes: [0, 15, 30, 45] }],
  ["0 8-10 * * 1-5", { minutes: [0], hours: [8, 9, 10], weekdays: [1, 2, 3, 4, 5] }],
  ["0 0 1,15 1,7 *", { minutes: [0], hours: [0], days: [1, 15], months: [1, 7] }],
])("%s is read and written again", (text, lists) => {
  const read = fromCron(text);
  expect(read).toEqual({ ...EMPTY, ...lists });
  expect(toCron({ type: "schedule", ...read })).toBe(text);
});

test.each([
  ["10/20 * * * *", "minutes", [10, 30, 50]],
  ["5-20/5 * * * *", "minutes", [5, 10, 15, 20]],
  ["0 0 * * 7", "weekdays", [0]],
])("%s has the %s %o", (text, name, values) => {
  expect(fromCron(text)?.[name]).toEqual(values);
});

test.each(["", "* * * *", "* * * * * *", "60 * * * *", "a * * * *", "5-1 * * * *", "*/0 * * * *", "* * 0 * *"])(
  "%o is no pattern",
  (text) => {
    expect(fromCron(text)).toBeUndefined();
  },
);

test("a schedule that cron cannot express has no text", () => {
  expect(toCron({ type: "schedule", days: [-1] })).toBeUndefined();
  expect(toCron({ type: "schedule", years: [2027] })).toBeUndefined();
});
