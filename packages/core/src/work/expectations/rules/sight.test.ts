import { expect, test } from "vitest";
import type { Expect } from "../../events/rules/record/expect.ts";
import { fromOf, type Standing, sightOf } from "./sight.ts";

const NOW = 1_800_000_000;
const standing: Standing = { now: NOW, from: NOW - 100_000, running: 0, longest: 0, failures: 0 };
const event = { id: "e1", title: "Backup", category: "ops", tags: ["nightly"] };
const expecting = (expected: Expect) => ({ ...event, triggers: [], expect: expected });

test.each<[string, Expect, Partial<Standing>, Partial<ReturnType<typeof sightOf>["expect"]>]>([
  ["a success in time", { success_every: 3600 }, { lastSuccess: NOW - 3600 }, { overdue_sec: 0 }],
  ["one within the grace", { success_every: 3600 }, { lastSuccess: NOW - 3900 }, { overdue_sec: 0 }],
  ["one after the grace", { success_every: 3600 }, { lastSuccess: NOW - 3901 }, { overdue_sec: 1 }],
  ["a grace of its own", { success_every: 3600, grace: 0 }, { lastSuccess: NOW - 3700 }, { overdue_sec: 100 }],
  ["none yet", { success_every: 3600, grace: 0 }, {}, { overdue_sec: 96_400 }],
  [
    "none since it is evaluated",
    { success_every: 3600, grace: 0 },
    { from: NOW - 60, lastSuccess: 5 },
    { overdue_sec: 0 },
  ],
  ["a success that is not expected", { finish_within: 10 }, {}, { overdue_sec: 0 }],
  ["a run in time", { finish_within: 2400 }, { longest: 2400 }, { overtime_sec: 0 }],
  ["a run that takes too long", { finish_within: 2400 }, { longest: 2460.5 }, { overtime_sec: 60 }],
  ["a start in time", { start_within: 60 }, { due: NOW - 360 }, { late_start_sec: 0 }],
  ["a missing start", { start_within: 60, grace: 0 }, { due: NOW - 100 }, { late_start_sec: 40 }],
  ["a start that is not expected", { success_every: 60 }, { due: NOW - 9999 }, { late_start_sec: 0 }],
  ["nothing due", { start_within: 60, grace: 0 }, { due: undefined }, { late_start_sec: 0 }],
  ["few enough failures", { max_failures: 3 }, { failures: 3 }, { failures: 3, failures_over: 0 }],
  ["too many failures", { max_failures: 0 }, { failures: 2 }, { failures: 2, failures_over: 2 }],
  ["failures that are not counted", { success_every: 60 }, { failures: 9 }, { failures: 9, failures_over: 0 }],
])("the evaluation of %s", (_which, expected, members, seen) => {
  expect(sightOf(expecting(expected), { ...standing, ...members }).expect).toMatchObject(seen);
});

test("the evaluation of an event names it", () => {
  const sight = sightOf(expecting({ max_failures: 1 }), { ...standing, last: 7, running: 2 });
  expect(sight).toMatchObject({ event, run: { last: 7, running: 2 } });
});

test.each([
  [{ max_failures: 1 }, 500],
  [{ max_failures: 1, from: 400 }, 500],
  [{ max_failures: 1, from: 600 }, 600],
])("%j counts from %i on when the event has been evaluated since 500", (expected, from) => {
  expect(fromOf(expecting(expected), 500)).toBe(from);
});
