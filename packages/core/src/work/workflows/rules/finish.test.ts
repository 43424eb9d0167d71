import { describe, expect, test } from "vitest";
import { aborted, type Case, check, nothing, ONE, WARNED, wired } from "../../../../test/work/played-cases.ts";
import { type PlayedGraph, PlayedRun } from "../../../testing/test-graphs.ts";

const OK = { code: 0, description: "Workflow completed successfully." };
const SOME = { code: "warning", description: "Workflow completed, but jobs failed." };
const NONE = { code: 1, description: "Workflow failed: all jobs failed." };

const acting = (data: object): PlayedGraph => ({ nodes: { t: { type: "action", data } }, wires: ["start>t"] });
const TAG = { enabled: true, type: "tag" };

const conditions = (...list: string[]) => ({ conditions: ["complete", ...list] });

const TWO: PlayedGraph = { nodes: { a: "job", b: "job", c: "job" }, wires: ["start>a", "start>b", "a>c:complete"] };
const failed = (nodes: object): PlayedGraph => ({
  nodes: { ...nodes, bad: { controller: "decision", decision: "oh.no()" } },
  wires: ["start>bad", ...Object.keys(nodes).map((id) => `start>${id}`)],
});

describe("the finish", () => {
  test.each<Case>([
    ["all successful", TWO, (run) => run.end("a").end("b").end("c"), { result: OK }],
    [
      "no jobs",
      { nodes: { d: { controller: "decision", decision: "false" } }, wires: ["start>d"] },
      nothing,
      { result: OK },
    ],
    ["all successful, and a node has an error", failed({ a: "job" }), (run) => run.end("a"), { result: WARNED }],
    ["no jobs, and a node has an error", failed({}), nothing, { result: WARNED }],
    ["some successful", TWO, (run) => run.fail("a").end("b").end("c"), { result: SOME }],
    [
      "some successful, and a node has an error",
      failed({ a: "job", b: "job" }),
      (run) => run.end("a").fail("b"),
      { result: SOME },
    ],
    ["none successful", ONE, (run) => run.fail("a"), { result: NONE }],
    ["none successful, and a node has an error", failed({ a: "job" }), (run) => run.fail("a"), { result: NONE }],
    [
      "attempts that were retried are left out",
      ONE,
      (run) => run.fail("a", { retried: true }).end("a"),
      { result: OK },
    ],
    ["waits for the last job", TWO, (run) => run.end("a").end("b"), { result: undefined }],
    ["waits for the next attempt", ONE, (run) => run.fail("a", { retried: true }), { result: undefined }],
  ])("%s", check);

  test("nothing advances a workflow that is over", () => {
    const run = new PlayedRun(ONE).end("a");
    const { state } = run;
    run.take({ kind: "acted", node: "a", number: 1, result: {} }).take({ kind: "abort", reason: "late" });
    expect(run.state).toEqual(state);
  });
});

const stop = (run: PlayedRun) => run.take({ kind: "abort", reason: "stopped" });

describe("an abort", () => {
  test.each<Case>([
    [
      "starts nothing more, and ends with the last job",
      TWO,
      (run) => stop(run).end("a").end("b"),
      { ran: "a b", ...aborted("stopped") },
    ],
    ["waits for jobs that run", TWO, (run) => stop(run).end("a"), { aborted: "stopped", result: undefined }],
    ["waits for actions that run", acting(TAG), stop, { aborted: "stopped", result: undefined }],
    ["and ends with their results", acting(TAG), (run) => stop(run).acted("t", { code: 0 }), aborted("stopped")],
    [
      "keeps the first reason",
      ONE,
      (run) => stop(run).take({ kind: "abort", reason: "again" }).end("a"),
      aborted("stopped"),
    ],
    [
      "ends controllers and waits",
      {
        nodes: { w: { controller: "wait", wait: 9 }, r: { controller: "repeat", repeat: 2 }, a: "job" },
        wires: ["start>w", "start>r", "r>a"],
      },
      (run) => stop(run).end("a").end("a"),
      { ...aborted("stopped"), state: { w: { active: false }, r: { active: false } } },
    ],
    [
      "still gathers tags and shared data",
      ONE,
      (run) => stop(run).end("a", { tags: ["slow"], workflowData: { k: 1 } }),
      { told: { tags: ["slow"] }, shared: { k: 1 } },
    ],
    [
      "cancels requests of the same step",
      { nodes: { a: "job", d: { controller: "decision", decision: "0", abort: true } }, wires: ["start>a", "start>d"] },
      nothing,
      { ran: "", ...aborted("Decision expression evaluated to false: 0") },
    ],
    [
      "of one sub-job ends only that one",
      wired("abort"),
      (run) => run.end("a", { succeeded: false, ...conditions("error", "abort") }),
      { ran: "a b", aborted: undefined },
    ],
    [
      "follows a launch that is refused",
      TWO,
      (run) => run.take({ kind: "refused", node: "a", reason: "Failed to launch job: no" }).end("b"),
      { ran: "a b", ...aborted("Failed to launch job: no") },
    ],
    [
      "follows the only launch that is refused",
      ONE,
      (run) => run.take({ kind: "refused", node: "a", reason: "no" }),
      aborted("no"),
    ],
  ])("%s", check);

  test("aborts the jobs once, and not again when it came from outside", () => {
    expect(stop(new PlayedRun(TWO)).orders.filter(({ kind }) => kind === "abort")).toEqual([]);
    const run = new PlayedRun(TWO).take({ kind: "refused", node: "a", reason: "no" });
    run.take({ kind: "refused", node: "b", reason: "neither" });
    expect(run.orders.filter(({ kind }) => kind === "abort")).toEqual([{ kind: "abort", reason: "no" }]);
  });
});

const CIRCLE = "Workflow runs in a circle without a job";
const yes = { controller: "decision", decision: "true" };

describe("bounds", () => {
  test.each<Case>([
    [
      "more jobs than a workflow may have",
      { ...ONE, nodes: { r: { controller: "repeat", repeat: 4 }, a: "job" }, wires: ["start>r", "r>a"], maxJobs: 3 },
      nothing,
      { ran: "", ...aborted("Maximum jobs per workflow reached (3)") },
    ],
    [
      "more jobs of a controller than fit, before the first of them",
      { ...ONE, nodes: { r: { controller: "repeat", repeat: 40 }, a: "job" }, wires: ["start>r", "r>a"], maxJobs: 39 },
      nothing,
      { ran: "", ...aborted("Maximum jobs per workflow reached (39)") },
    ],
    [
      "more jobs of two controllers than fit",
      {
        nodes: { r: { controller: "repeat", repeat: 20 }, s: { controller: "repeat", repeat: 20 }, a: "job", b: "job" },
        wires: ["start>r", "start>s", "r>a", "s>b"],
        maxJobs: 39,
      },
      nothing,
      { ran: "", ...aborted("Maximum jobs per workflow reached (39)") },
    ],
    [
      "as many jobs of a controller as fit",
      { nodes: { r: { controller: "repeat", repeat: 4 }, a: "job" }, wires: ["start>r", "r>a"], maxJobs: 4 },
      nothing,
      { ran: "a a a a", aborted: undefined },
    ],
    [
      "over several steps",
      { nodes: { a: "job" }, wires: ["start>a", "a>a:success"], maxJobs: 2 },
      (run) => run.end("a").end("a"),
      { ran: "a a", ...aborted("Maximum jobs per workflow reached (2)") },
    ],
    [
      "with the attempts that others followed",
      { nodes: { a: "job" }, wires: ["start>a", "a>a:success"], maxJobs: 2 },
      (run) => run.fail("a", { retried: true }).end("a"),
      { ran: "a", ...aborted("Maximum jobs per workflow reached (2)") },
    ],
    [
      "a loop of jobs may continue as long as jobs are allowed",
      { nodes: { a: "job" }, wires: ["start>a", "a>a:success"], maxJobs: 50 },
      (run) => Array.from({ length: 49 }, () => run.end("a")),
      { aborted: undefined },
    ],
    [
      "a circle of decisions",
      { nodes: { d: yes, e: yes }, wires: ["start>d", "d>e", "e>d"] },
      nothing,
      { aborted: expect.stringContaining(CIRCLE), result: { code: "abort" } },
    ],
    [
      "a circle that branches",
      { nodes: { d: yes, e: yes, f: yes }, wires: ["start>d", "d>e", "d>f", "e>d", "f>d", "e>f", "f>e"] },
      nothing,
      { aborted: expect.stringContaining(CIRCLE) },
    ],
    [
      "a circle of a join",
      { nodes: { x: { controller: "join" } }, wires: ["x>x"], start: "x" },
      nothing,
      { aborted: expect.stringContaining(CIRCLE) },
    ],
    [
      "a circle of waits without a time",
      { nodes: { w: { controller: "wait", wait: 0 } }, wires: ["start>w", "w>w"] },
      (run) => turn(run, 2000, 0),
      { aborted: expect.stringContaining(CIRCLE) },
    ],
    [
      "a circle of very short waits",
      { nodes: { w: { controller: "wait", wait: 0.01 } }, wires: ["start>w", "w>w"] },
      (run) => turn(run, 2000, 0.01),
      { aborted: expect.stringContaining(CIRCLE) },
    ],
    [
      "a circle with a real wait continues",
      { nodes: { w: { controller: "wait", wait: 1 }, d: yes }, wires: ["start>w", "w>d", "d>w"] },
      (run) => turn(run, 2000, 1),
      { aborted: undefined, state: { w: { active: true } } },
    ],
    [
      "a circle runs none of its actions",
      { nodes: { d: yes, t: "action" }, wires: ["start>d", "d>d", "d>t"] },
      nothing,
      { acts: [], aborted: expect.stringContaining(CIRCLE), result: { code: "abort" } },
    ],
    ["a long chain is no circle", chain(3000), nothing, { aborted: undefined, result: OK }],
  ])("%s", check);
});

function turn(run: PlayedRun, times: number, seconds: number): void {
  for (let count = 0; count < times && run.state.aborted === undefined; count++) run.wait(seconds);
}

function chain(length: number): PlayedGraph {
  const ids = Array.from({ length }, (_, index) => `d${index}`);
  const wires = ids.map((id, index) => `${ids[index - 1] ?? "start"}>${id}`);
  const last = { controller: "decision", decision: "false" };
  return { nodes: Object.fromEntries(ids.map((id, index) => [id, index === length - 1 ? last : yes])), wires };
}
