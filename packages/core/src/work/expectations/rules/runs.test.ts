import { describe, expect, test } from "vitest";
import { createPast, outcomeOf, type Run } from "./runs.ts";

test.each<[string, Parameters<typeof outcomeOf>[0], Run["outcome"]]>([
  ["without a code", {}, "success"],
  ["with code 0", { code: 0 }, "success"],
  ["with a warning", { code: "warning" }, "success"],
  ["with another code", { code: 1 }, "failure"],
  ["that a limit aborted", { code: "abort", description: "Job has exceeded its maximum run time" }, "failure"],
  ["that somebody aborted", { code: "abort", description: "Manually aborted by user: mia" }, "neither"],
  ["that was tried again", { code: 1, retried: true }, "neither"],
  ["that was a test", { code: 0, test: true }, "neither"],
])("a job %s counts as %j is said", (_which, job, outcome) => {
  expect(outcomeOf(job)).toBe(outcome);
});

describe("the jobs of an event", () => {
  const run = (started: number, completed: number, outcome: Run["outcome"] = "success"): Run => ({
    started,
    completed,
    outcome,
  });
  const window = { from: 0, failuresPer: 1000 };

  test("are known up to the moment, and not beyond", () => {
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

  test("that succeeded and failed are counted apart", () => {
    const failures = Array.from({ length: 5 }, (_each, at) => run(at * 100, at * 100 + 50, "failure"));
    const past = createPast(failures, { from: 0, failuresPer: 250 });
    expect([50, 150, 250, 450, 600, 800].map((now) => past.at(now).failures)).toEqual([1, 2, 3, 3, 1, 0]);
  });
});
