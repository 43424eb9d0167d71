import { expect, test } from "vitest";
import type { Beat, BeatSight, Heartbeat } from "../model.ts";
import { sightOf } from "./sight.ts";

const NOW = 1_800_000_000;
const heartbeat = {
  ...{ id: "hb1", title: "Backup", enabled: true, category: "ops", every: 3600, grace: 60, finish_within: 600 },
  ...{ created: 1, modified: 1, revision: 1, username: "admin" },
} as Heartbeat;
const beat: Beat = { id: "hb1", from: NOW - 10_000, failed: false, runs: [], count: 1, last: NOW - 10_000 };

test.each<[string, Partial<Beat>, Partial<BeatSight["beat"]>]>([
  ["a success in time", { success: NOW - 3600 }, { late_sec: 0, last_success: NOW - 3600 }],
  ["one within the grace", { success: NOW - 3660 }, { late_sec: 0 }],
  ["one beyond it", { success: NOW - 3661 }, { late_sec: 1 }],
  ["no success yet", {}, { late_sec: 10_000 - 3660 }],
  ["none since it is judged", { from: NOW - 60, success: 5 }, { late_sec: 0 }],
  ["one that is not judged", { from: null, success: 5 }, { late_sec: 0 }],
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
])("of %s", (_which, members, seen) => {
  expect(sightOf(heartbeat, { ...beat, ...members }, NOW).beat).toMatchObject(seen);
});

test("of a heartbeat that nothing has come of yet says nothing is late", () => {
  const { last: _none, ...silent } = beat;
  expect(sightOf(heartbeat, silent, NOW).beat).toMatchObject({ new: true, late_sec: 0 });
  expect(sightOf(heartbeat, undefined, NOW)).toMatchObject({
    beat: { new: true, late_sec: 0, overtime_sec: 0, failed: false, running: 0 },
    heartbeat: { id: "hb1", title: "Backup", category: "ops", tags: [] },
  });
});
