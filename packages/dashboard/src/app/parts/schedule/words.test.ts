import { beforeAll, expect, test } from "vitest";
import { timeZone } from "../../texts/format.ts";
import { scheduleWords, stepOf, triggerWords } from "./words.ts";

beforeAll(() => {
  timeZone.value = "Europe/Berlin";
});

const every = (from: number, step: number, to = 60): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);

test.each([
  [{}, "Every minute"],
  [{ minutes: [0] }, "Every hour at :00"],
  [{ minutes: [45, 15] }, "Every hour at :15 and :45"],
  [{ minutes: every(0, 5) }, "Every 5 minutes"],
  [{ minutes: every(1, 2) }, "Every 2 minutes, from :01 on"],
  [{ hours: [2], minutes: [30] }, "Every day at 02:30"],
  [{ hours: [8, 20], minutes: [0] }, "Every day at 08:00 and 20:00"],
  [{ hours: [2], minutes: [30], weekdays: [1, 2, 3, 4, 5] }, "Monday to Friday at 02:30"],
  [{ hours: [2], minutes: [30], weekdays: [0, 3] }, "Wednesday and Sunday at 02:30"],
  [{ hours: [2], minutes: [30], weekdays: [0, 1, 2, 3, 4, 5, 6] }, "Every day at 02:30"],
  [{ minutes: every(0, 10), hours: every(8, 1, 19) }, "At 0, 10, 20, 30, 40, 50 of each hour 08–18"],
  [{ hours: [3], minutes: [0], days: [1, -1] }, "Day 1 and last of each month at 03:00"],
  [{ hours: [3], minutes: [0], days: [1], months: [1, 7] }, "Day 1 of January and July at 03:00"],
  [{ hours: [3], minutes: [0], days: [13], weekdays: [5] }, "Day 13 of each month, if it is Friday at 03:00"],
  [{ minutes: every(0, 15), weekdays: [0, 6] }, "Every 15 minutes, Saturday and Sunday"],
  [{ hours: [2], minutes: [30], timezone: "America/New_York" }, "Every day at 02:30, New York time"],
  [{ hours: [2], minutes: [30], timezone: "Europe/Berlin", years: [2027] }, "Every day at 02:30 in 2027"],
])("%o is described as %s", (members, words) => {
  expect(triggerWords({ type: "schedule", enabled: true, ...members })).toBe(words);
});

test("an event is described by its triggers that run by the clock", () => {
  const manual = { type: "manual", enabled: true };
  expect(scheduleWords([manual])).toBe("Only by hand");
  expect(scheduleWords([manual, { type: "schedule", enabled: false }])).toBe("Only by hand");
  expect(scheduleWords([manual, { type: "schedule", enabled: true, minutes: [5] }])).toBe("Every hour at :05");
});

test.each([
  [[0, 20, 40], 20],
  [[0, 20], undefined],
  [[5, 35], 30],
  [[30], undefined],
  [[40, 50, 60], undefined],
])("the step of %o in an hour is %s", (values, step) => {
  expect(stepOf(values, 60)).toBe(step);
});
