import { expect, test } from "vitest";
import { phaseAt, phaseIntervals } from "./intervals.ts";

const spell = (date: number, fired: number, end?: number) => ({
  ...{ date, fired, modified: end ?? fired, active: end === undefined },
});
const texts = (all: ReturnType<typeof phaseIntervals>): string[] =>
  all.map(({ from, to, state, flapping }) => `${from} to ${to ?? "now"} ${state}${flapping ? " flapping" : ""}`);

test.each<[string, Parameters<typeof phaseIntervals>[0], string[]]>([
  ["nothing fired", [], ["0 to now idle"]],
  ["one that continues", [spell(100, 220)], ["0 to 100 idle", "100 to 220 warming", "220 to now live"]],
  ["one that fired at once", [spell(100, 100, 300)], ["0 to 100 idle", "100 to 300 live", "300 to now idle"]],
  [
    "two, the second while it flapped",
    [spell(100, 100, 300), { ...spell(400, 460), flapping: true }],
    ["0 to 100 idle", "100 to 300 live", "300 to 400 idle", "400 to 460 warming", "460 to now live flapping"],
  ],
  ["one that began before the time asked for", [spell(-50, -20, 60)], ["0 to 60 live", "60 to now idle"]],
])("the states of an alert: %s", (_what, invocations, expected) => {
  expect(texts(phaseIntervals(invocations, 0))).toEqual(expected);
});

test.each([
  [50, "idle"],
  [100, "warming"],
  [219, "warming"],
  [5000, "live"],
])("at %d it was %s", (at, state) => {
  expect(phaseAt(phaseIntervals([spell(100, 220)], 0), at)?.state).toBe(state);
});
