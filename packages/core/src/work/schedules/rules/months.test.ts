import { expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import { scheduleOf } from "./triggers.ts";
import { findUpcoming } from "./upcoming.ts";

const rules = { calendar: createCalendar(), zone: "UTC" };
const at = (text: string): number => Date.parse(text) / 1000;

function datesFrom(from: string, trigger: Record<string, unknown>, limit: number): string[] {
  const schedule = scheduleOf({
    triggers: [{ type: "schedule", enabled: true, hours: [23], minutes: [59], ...trigger }],
  });
  if (!schedule) throw new Error("no launching trigger");
  const steps = findUpcoming([{ schedule }], { from: at(from), limit }, rules);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value.runs.map(({ now }) => new Date(now * 1000).toISOString().slice(0, 10));
}

test.each([
  [
    "the last day of each month",
    { days: [-1] },
    "2027-11-30T00:00Z",
    ["2027-11-30", "2027-12-31", "2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"],
  ],
  [
    "the last day of February in a common year",
    { days: [-1], months: [2] },
    "2026-01-01T00:00Z",
    ["2026-02-28", "2027-02-28", "2028-02-29"],
  ],
  [
    "the 31st skips short months",
    { days: [31] },
    "2026-03-31T00:00Z",
    ["2026-03-31", "2026-05-31", "2026-07-31", "2026-08-31"],
  ],
  ["the 30th skips February", { days: [30] }, "2026-01-30T00:00Z", ["2026-01-30", "2026-03-30", "2026-04-30"]],
  ["the seventh day from the end", { days: [-7] }, "2028-02-01T00:00Z", ["2028-02-23", "2028-03-25", "2028-04-24"]],
  [
    "the last day if it is a Friday",
    { days: [-1], weekdays: [5] },
    "2026-01-01T00:00Z",
    ["2026-07-31", "2027-04-30", "2027-12-31"],
  ],
  ["leap days", { months: [2], days: [29] }, "2026-01-01T00:00Z", ["2028-02-29", "2032-02-29"]],
  ["leap days around a year without one", { months: [2], days: [29] }, "2096-03-01T00:00Z", ["2104-02-29"]],
  ["the last day, named twice, is one run", { days: [31, -1] }, "2026-05-31T00:00Z", ["2026-05-31", "2026-06-30"]],
  ["every week over the end of a year", { weekdays: [4] }, "2026-12-25T00:00Z", ["2026-12-31", "2027-01-07"]],
] as const)("%s", (_name, trigger, from, expected) => {
  expect(datesFrom(from, trigger, expected.length)).toEqual(expected);
});
