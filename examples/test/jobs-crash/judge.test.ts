import { expect, test } from "vitest";
import { type EndedJob, type Evidence, judge } from "./judge.ts";

const hook = { type: "web_hook", condition: "complete", enabled: true, text: "effect=hook_complete job={{job.id}};" };
const done = { date: 1, code: 0 };
const launch = { type: "run_event", condition: "success", enabled: true };
const retry = { type: "retry", enabled: true, amount: 1 };
const limit = { type: "time", enabled: true, ...done, text: "effect=hook_limit job={{job.id}};" };

const job = (members: Partial<EndedJob> = {}): EndedJob => ({
  ...{
    id: "j1",
    event: "e",
    plugin: "shellplug",
    source: "key",
    code: 0,
    final: true,
    actions: [{ ...hook, ...done }],
  },
  ...members,
});
const arrival = { job: "j1", effect: "hook_complete", key: "j1/0" };
const sound: Evidence = {
  jobs: [job()],
  accepted: new Set(["j1"]),
  runs: new Map([["j1", 1]]),
  arrivals: [arrival],
  history: new Map([["e", 1]]),
};
const evidence = (members: Partial<Evidence>): Evidence => ({ ...sound, ...members });
const withJob = (members: Partial<EndedJob>): Evidence => evidence({ jobs: [job(members)] });

test("a job that ran once, ended and notified once passes, also when its hook was repeated", () => {
  expect(judge(sound)).toEqual([]);
  expect(judge(evidence({ arrivals: [arrival, arrival] }))).toEqual([]);
});

test.each<[string, Evidence, string]>([
  ["a job that vanished", evidence({ accepted: new Set(["j1", "j2"]) }), "job j2 was accepted and is gone"],
  ["a job that was launched twice", evidence({ accepted: new Set() }), "e j1: launched, but nobody got its id"],
  ["a second run", evidence({ runs: new Map([["j1", 2]]) }), "job j1 ran 2 times"],
  ["a success without a run", evidence({ runs: new Map() }), "e j1: succeeded without a run"],
  ["a run without a job", evidence({ runs: new Map([...sound.runs, ["j9", 1]]) }), "job j9 ran and is gone"],
  ["a record without an end", withJob({ final: false }), "e j1: its record is not final"],
  ["an action that never happened", withJob({ actions: [hook] }), "e j1: web_hook on complete never happened"],
  [
    "an action that failed",
    withJob({ actions: [{ ...hook, ...done, code: 1, description: "refused" }] }),
    "e j1: web_hook on complete failed: refused",
  ],
  [
    "an action of another end",
    withJob({
      actions: [
        { ...hook, ...done },
        { ...launch, condition: "error", ...done },
      ],
    }),
    "e j1: run_event on error happened without a reason",
  ],
  ["a hook that never arrived", evidence({ arrivals: [] }), "e j1: hook_complete never arrived"],
  [
    "an effect under two keys",
    evidence({ arrivals: [arrival, { ...arrival, key: "j1/9" }] }),
    "j1 hook_complete: came under 2 keys",
  ],
  [
    "an effect without a job",
    evidence({ arrivals: [arrival, { ...arrival, job: "j9" }] }),
    "j9 hook_complete: of a job that is gone",
  ],
  [
    "a retry without a next attempt",
    withJob({ retried: true, actions: [], limits: [retry] }),
    "e j1: retried: true, and 0 attempts follow",
  ],
  ["an attempt too many", withJob({ retry_count: 2, limits: [retry] }), "e j1: attempt 2 of 1"],
  [
    "a limit whose hook was never called",
    withJob({ tags: ["slow"], limits: [limit] }),
    "e j1: hook_limit never arrived",
  ],
  ["a duplicate tag", withJob({ tags: ["x", "x"] }), "e j1: tags twice: x,x"],
  [
    "a child that was never launched",
    withJob({ actions: [{ ...launch, ...done }] }),
    "job j1 launched 0 jobs in place of 1",
  ],
  ["a history with another count", evidence({ history: new Map([["e", 2]]) }), "e: its history counts 2 ends of 1"],
])("the judge finds %s", (_name, given, fault) => {
  expect(judge(given)).toContain(fault);
});
