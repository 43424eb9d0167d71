import { expect, test } from "vitest";
import { createCalendar } from "../../../lib/time/calendar.ts";
import type { Beat, BeatSight, Heartbeat } from "../model.ts";
import { mayHaveCalled, sightOf } from "./sight.ts";
import { timesOf } from "./times.ts";

const NOW = 1_800_000_000;
const heartbeat = {
  ...{ id: "hb1", title: "Backup", enabled: true, category: "ops", every: 3600, grace: 60, finish_within: 600 },
  ...{ created: 1, modified: 1, revision: 1, username: "admin" },
} as Heartbeat;
const rules = { calendar: createCalendar(), zone: "UTC" };
const seenOf = (of: Heartbeat, known: Beat | undefined) => sightOf(of, known, NOW, timesOf(of, rules));
const beat: Beat = { id: "hb1", from: NOW - 10_000, failed: false, runs: [], count: 1, last: NOW - 10_000 };

test.each<[string, Partial<Beat>, Partial<BeatSight["beat"]>]>([
  ["a success in time", { success: NOW - 3600 }, { late_sec: 0, last_success: NOW - 3600 }],
  ["one within the grace", { success: NOW - 3660 }, { late_sec: 0 }],
  ["one after the grace", { success: NOW - 3661 }, { late_sec: 1 }],
  ["no success yet", {}, { late_sec: 10_000 - 3660 }],
  ["none since it is evaluated", { from: NOW - 60, success: 5 }, { late_sec: 0 }],
  ["one that is not evaluated", { from: null, success: 5 }, { late_sec: 0 }],
  ["a run in time", { runs: [{ run: "", since: NOW - 600 }] }, { overtime_sec: 0, running: 1 }],
  [
    "the longest run that takes too long",
    {
      runs: [
        { run: "a", since: NOW - 700 },
        { run: "b", since: NOW - 5 },
      ],
    },
    { overtime_sec: 100, running: 2 },
  ],
  ["a failure", { failed: true, exit: 3 }, { failed: true, exit: 3 }],
])("the evaluation of %s", (_which, members, seen) => {
  expect(seenOf(heartbeat, { ...beat, ...members }).beat).toMatchObject(seen);
});

test("a heartbeat that was never called is not late", () => {
  const { last: _none, ...silent } = beat;
  expect(seenOf(heartbeat, silent).beat).toMatchObject({ new: true, late_sec: 0 });
  expect(seenOf(heartbeat, undefined)).toMatchObject({
    beat: { new: true, late_sec: 0, overtime_sec: 0, failed: false, running: 0 },
    heartbeat: { id: "hb1", title: "Backup", category: "ops", tags: [] },
  });
});

// NOW is a Friday at 08:00 UTC.
const nightly = { ...heartbeat, every: null, schedule: "0 3 * * *", grace: 600, start_grace: 60 } as Heartbeat;
const at = (hours: number): number => NOW + (hours - 8) * 3600;

test.each<[string, Partial<Beat>, Partial<BeatSight["beat"]>]>([
  ["last night's success", { success: at(3.5), begun: at(3.5) }, { late_sec: 0, not_started_sec: 0 }],
  ["one of the night before", { success: at(-20.5), begun: at(-20.5) }, { late_sec: 17_400, not_started_sec: 17_940 }],
  ["a start without an end", { success: at(-20.5), begun: at(3) }, { late_sec: 17_400, not_started_sec: 0 }],
  ["a success a little early", { success: at(2.2), begun: at(2.2) }, { late_sec: 0, not_started_sec: 0 }],
  ["a success too early for it", { success: at(1.9), begun: at(1.9) }, { late_sec: 17_400 }],
])("of a schedule at three, %s", (_which, members, seen) => {
  expect(seenOf(nightly, { ...beat, from: at(-48), ...members }).beat).toMatchObject(seen);
});

const late = { ...heartbeat, grace: 300, start_grace: 60 } as Heartbeat;
test.each<[string, Partial<BeatSight["beat"]>, number, boolean]>([
  ["nothing is late", {}, 5, false],
  ["a success was due before the break ended", { late_sec: 1 }, 299, true],
  ["its grace after the break is over", { late_sec: 1 }, 300, false],
  ["a start was due before", { not_started_sec: 10 }, 65, true],
  ["a start was due after", { not_started_sec: 10 }, 75, false],
  ["a run began before", { overtime_sec: 1 }, 200, true],
  ["there was no break", { late_sec: 9 }, Infinity, false],
])("a call may have been missed in a break: %s", (_which, members, awakeSec, expected) => {
  const seen = seenOf(late, { ...beat, success: NOW });
  expect(mayHaveCalled(late, { ...seen, beat: { ...seen.beat, ...members } }, awakeSec)).toBe(expected);
});

test("a long grace holds an alert back for five minutes after a break, and no longer", () => {
  const patient = { ...heartbeat, grace: 86_400 } as Heartbeat;
  const seen = seenOf(patient, { ...beat, from: 1, success: NOW - 100_000 });
  expect([299, 300].map((awakeSec) => mayHaveCalled(patient, seen, awakeSec))).toEqual([true, false]);
});
