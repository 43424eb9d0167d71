import { describe, expect, test } from "vitest";
import { parseCron } from "./cron.ts";

const patterns = (text: string) => parseCron(text).map(({ type: _type, enabled: _enabled, ...rest }) => rest);

describe("parseCron", () => {
  test.each([
    ["* * * * *", [{}]],
    ["*/15 * * * *", [{ minutes: [0, 15, 30, 45] }]],
    ["5/20 * * * *", [{ minutes: [5, 25, 45] }]],
    ["0 9-17 * * mon-fri", [{ minutes: [0], hours: [9, 10, 11, 12, 13, 14, 15, 16, 17], weekdays: [1, 2, 3, 4, 5] }]],
    ["0 0 1 jan,JUL *", [{ minutes: [0], hours: [0], days: [1], months: [1, 7] }]],
    ["0 0 * * 7", [{ minutes: [0], hours: [0], weekdays: [0] }]],
    ["0 0 * * 5-7", [{ minutes: [0], hours: [0], weekdays: [0, 5, 6] }]],
    ["0 0 L * ?", [{ minutes: [0], hours: [0], days: [-1] }]],
    ["0 0 */10 * mon", [{ minutes: [0], hours: [0], days: [1, 11, 21, 31], weekdays: [1] }]],
    ["0 0 1-7 * */3", [{ minutes: [0], hours: [0], days: [1, 2, 3, 4, 5, 6, 7], weekdays: [0, 3, 6] }]],
    ["0-59 0-23 1-31 1-12 0-6", [{}]],
    ["@daily", [{ minutes: [0], hours: [0] }]],
    ["@weekly", [{ minutes: [0], hours: [0], weekdays: [0] }]],
    ["@hourly", [{ minutes: [0] }]],
    ["@yearly", [{ minutes: [0], hours: [0], days: [1], months: [1] }]],
  ])("reads %s", (text, expected) => {
    expect(patterns(text)).toEqual(expected);
  });

  test("two restricted day fields become triggers that never match the same day", () => {
    const [byDay, byWeekday] = patterns("0 0 1,15 * fri");
    expect(byDay).toEqual({ minutes: [0], hours: [0], days: [1, 15] });
    expect(byWeekday?.weekdays).toEqual([5]);
    expect(byWeekday?.days).toHaveLength(29);
    expect(byWeekday?.days).not.toContain(15);
  });

  test.each([
    ["* * * *", /five fields/],
    ["0 0 0 * * *", /five fields/],
    ["60 * * * *", /minute "60"/],
    ["* 9-25 * * *", /hour "9-25"/],
    ["*/0 * * * *", /step/],
    ["*/2/3 * * * *", /two steps/],
    ["30-10 * * * *", /backwards/],
    ["* * 0 * *", /day of month/],
    ["* * * foo *", /month "foo"/],
    ["1,,2 * * * *", /minute/],
    ["* * L * mon", /L cannot/],
    ["@reboot", /five fields/],
    ["", /five fields/],
  ])("refuses %s", (text, reason) => {
    expect(() => parseCron(text)).toThrow(reason);
  });
});
