import { expect, test } from "vitest";
import { deltaOf } from "./delta.ts";

const input = { value: 700, old: 100, oldDate: 1000, date: 1060, whole: true };
const rate = { delta_min_value: 0, divide_by_delta: true };

test.each([
  ["the change since the last sample", {}, {}, 600],
  ["divided by the elapsed seconds", rate, {}, 10],
  ["rounded down for the integer family", rate, { value: 705 }, 10],
  ["with its fraction otherwise", rate, { value: 705, whole: false }, 605 / 60],
  ["0 for the first sample", rate, { old: undefined }, 0],
  ["0 when the counter was 0", rate, { old: 0 }, 0],
  ["negative without a floor", {}, { value: 40 }, -60],
  ["negative with the floor disabled", { delta_min_value: false as const }, { value: 40 }, -60],
  ["the floor after a counter that restarted", rate, { value: 40 }, 0],
  ["divided by one second at least", rate, { oldDate: 1060 }, 600],
  ["undivided without a time", rate, { oldDate: undefined }, 600],
  ["0 for a value that is no number", {}, { value: Number.POSITIVE_INFINITY }, 0],
])("the delta is %s", (_fact, rule, change, expected) => {
  expect(deltaOf(rule, { ...input, ...change })).toBe(expected);
});
