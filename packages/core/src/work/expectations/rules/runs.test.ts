import { describe, expect, test } from "vitest";
import { createPast, dueTimeOf, firstDue, outcomeOf, type Run } from "./runs.ts";

test.each<[string, Parameters<typeof outcomeOf>[0], Run["outcome"]]>([
  ["without a code", {}, "success"],
  ["with code 0", { code: 0 }, "success"],
  ["with a warning", { code: "warning" }, "success"],
  ["with another code", { code: 1 }, "failure"],
  ["that a limit aborted", { code: "abort", description: "Job has exceeded its maximum run time" }, "failure"],
  ["that somebody aborted", { code: "abort", description: "Manually aborted by user: mia" }, "neither"],
  ["that was tried again", { code: 1, retried: true }, "neither"],
  ["that was a test", { code: 0, test: true }, "neither"],
])("the outcome of a job %s is %j", (_which, job, outcome) => {
  expect(outcomeOf(job)).toBe(outcome);
});

describe("the past jobs of an event", () => {
  const run = (started: number, completed: number, outcome: Run["outcome"] = "success"): Run => ({
    started,
    completed,
    outcome,
  });
  const window = { from: 0, failuresPer: 1000 };

  test("are known up to the given time, and not after it", () => {
    const past = createPast([run(100, 200), run(250, 400, "failure")], window);
    expect(past.at(50)).toEqual({ now: 50, from: 0, running: 0, longest: 0, failures: 0 });
    expect(past.at(150)).toMatchObject({ running: 1, longest: 50, lastSuccess: undefined });
    expect(past.at(200)).toMatchObject({ running: 0, longest: 100, lastSuccess: 200, last: 200 });
    expect(past.at(300)).toMatchObject({ running: 1, longest: 50, failures: 0 });
    expect(past.at(400)).toMatchObject({ running: 0, longest: 150, failures: 1, lastSuccess: 200, last: 400 });
    expect(past.at(1399)).toMatchObject({ failures: 1, longest: 0 });
    expect(past.at(1400)).toMatchObject({ failures: 0 });
  });

  test("may overlap", () => {
    const past = createPast([run(200, 250), run(100, 300), run(260, 320, "neither")], window);
    expect(past.at(240)).toMatchObject({ running: 2, longest: 140 });
    expect(past.at(310)).toMatchObject({ running: 1, longest: 200, lastSuccess: 300 });
  });

  test("count as failures only within the given time", () => {
    const failures = Array.from({ length: 5 }, (_each, at) => run(at * 100, at * 100 + 50, "failure"));
    const past = createPast(failures, { from: 0, failuresPer: 250 });
    expect([50, 150, 250, 450, 600, 800].map((now) => past.at(now).failures)).toEqual([1, 2, 3, 3, 1, 0]);
  });
});

describe("the first run that has not started", () => {
  const hourly = (moment: number): number => (Math.floor(moment / 3600) + 1) * 3600;

  test.each<[string, number[], number, number]>([
    ["follows the last one that has", [3600, 7200], 0, 10_800],
    ["is the first since the event has been evaluated", [], 4000, 7200],
    ["is never from before", [3600], 7300, 10_800],
  ])("%s", (_which, started, from, due) => {
    expect(firstDue(started, from, hourly)).toBe(due);
  });

  test("is known minute by minute in the past", () => {
    const run = (due: number, started: number): Run => ({ due, started, completed: started + 5, outcome: "success" });
    const past = createPast([run(3600, 3700), run(10_800, 10_800)], { from: 0, failuresPer: 1000, dueAfter: hourly });
    expect([3600, 3700, 7200, 10_799, 10_800].map((now) => past.at(now).due)).toEqual([3600, 7200, 7200, 7200, 14_400]);
  });

  test.each([
    [{ source: "scheduler", now: 60 }, 60],
    [{ source: "scheduler", now: 60, until: 90 }, 90],
    [{ source: "user", now: 60 }, undefined],
  ])("of %j was due at %s", (job, due) => {
    expect(dueTimeOf(job)).toBe(due);
  });
});
