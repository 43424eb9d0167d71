import { expect, test } from "vitest";
import { type Evidence, judge, type ScheduledJob } from "./judge.ts";

const node = { id: "a", by: "node", catchup: false } as const;
const job = (members: Partial<ScheduledJob> = {}): ScheduledJob => ({
  ...{ id: "j1", event: "a", now: 60, source: "scheduler", code: 0 },
  ...members,
});
const sound: Evidence = {
  ...{ schedules: [node], jobs: [job()], runs: new Map([["j1", 1]]), from: 60, to: 60, gaps: [] },
};
const lost = { code: "abort", description: "The job was lost when the node that ran it ended." };

test("a minute whose work was done once passes", () => {
  expect(judge(sound)).toMatchObject({ minutes: 1, due: 1, missedByRule: 0, lostWithNode: 0, attempts: 0, faults: [] });
});

test("a job that ended with its node is counted, and so is a minute in a gap", () => {
  expect(judge({ ...sound, jobs: [job(lost)] })).toMatchObject({ lostWithNode: 1, faults: [] });
  const missed = { ...sound, jobs: [], runs: new Map(), gaps: [{ from: 60, to: 120 }] };
  expect(judge(missed)).toMatchObject({ missedByRule: 1, faults: [] });
});

test("a launch that never reached the satellite may be retried", () => {
  const schedules = [{ ...node, by: "satellite" as const }];
  const jobs = [job({ ...lost, id: "j0", retried: true }), job({ retry_prev: "j0" })];
  expect(judge({ ...sound, schedules, jobs })).toMatchObject({ attempts: 1, faults: [] });
});

test.each<[string, Partial<Evidence>, string]>([
  ["a minute that was skipped", { jobs: [], runs: new Map() }, "a at 60: never launched"],
  [
    "a gap that was not caught up with",
    { schedules: [{ ...node, catchup: true }], jobs: [], runs: new Map(), gaps: [{ from: 60, to: 60 }] },
    "a at 60: never launched",
  ],
  ["a minute that was launched twice", { jobs: [job(), job({ id: "j2" })] }, "a at 60: launched 2 times"],
  ["work that was done twice", { runs: new Map([["j1", 2]]) }, "a at 60: ran 2 times"],
  ["work that was never done", { runs: new Map() }, "a at 60: succeeded without a run"],
  [
    "a job of the satellite that was lost",
    { schedules: [{ ...node, by: "satellite" }], jobs: [job(lost)] },
    "a at 60: ended with abort: The job was lost when the node that ran it ended.",
  ],
  [
    "a run without a schedule",
    {
      runs: new Map([
        ["j1", 1],
        ["j9", 1],
      ]),
    },
    "job j9 ran and is gone",
  ],
])("the judge finds %s", (_name, members, fault) => {
  expect(judge({ ...sound, ...members }).faults).toContain(fault);
});
