import { describe, expect, test } from "vitest";
import { aborted, type Case, check, nothing, ONE, WARNED, wired } from "../../../../../test/work/played-cases.ts";
import { type PlayedGraph, PlayedRun } from "../../../../testing/test-graphs.ts";

const OK = { code: 0, description: "Workflow completed successfully." };

describe("the start of a workflow", () => {
  test.each<Case>([
    [
      "runs the node with the input",
      { ...ONE, input: { data: { n: 1 }, files: ["f"] } },
      nothing,
      {
        ran: "a",
        inputs: [{ data: { n: 1 }, files: ["f"] }],
        state: { start: { started: 1000, completed: 1000 }, a: { started: 1000 } },
      },
    ],
    ["may be any node", { ...ONE, start: "a" }, nothing, { ran: "a" }],
    ["without a node", { ...ONE, start: undefined }, nothing, aborted("Workflow has no start node specified.")],
    ["with an unknown node", { ...ONE, start: "zz" }, nothing, aborted("Workflow start node not found: zz")],
    [
      "with a deleted trigger of the event",
      { ...ONE, triggers: [] },
      nothing,
      aborted("Could not find linked trigger definition: start"),
    ],
    [
      "with a trigger that leads nowhere",
      { nodes: {}, wires: [] },
      nothing,
      { state: { start: { error: true, completed: 1000 } }, result: WARNED },
    ],
    ["keeps what the launch shares", { ...ONE, workflowData: { k: 1 } }, nothing, { shared: { k: 1 } }],
  ])("%s", check);

  test("fails in a graph without nodes or connections", () => {
    const from = (graph: object) => new PlayedRun({ ...ONE, graph } as PlayedGraph).view.aborted;
    expect(from({ nodes: [], connections: [] })).toBe("Workflow has no nodes specified.");
    expect(from({ nodes: [{ id: "start", type: "trigger" }], connections: undefined })).toBe(
      "Workflow is missing connections array.",
    );
  });
});

const ALL: PlayedGraph = {
  nodes: { a: "job", b: "job", l: { type: "limit", data: {} }, t: "action", n: { type: "note", data: {} } },
  wires: ["start>a", "a>l", "a>t:success", "a>b"],
};
const acting = (data: object): PlayedGraph => ({ nodes: { t: { type: "action", data } }, wires: ["start>t"] });
const TAG = { enabled: true, type: "tag" };

describe("nodes", () => {
  test.each<Case>([
    [
      "a job without a condition on its wire leads nowhere; its actions and limits are its own",
      ALL,
      (run) => run.end("a"),
      { ran: "a", acts: [], result: OK },
    ],
    ["an event is a job like another", { nodes: { a: "event" }, wires: ["start>a"] }, nothing, { ran: "a" }],
    [
      "an unknown type aborts",
      { nodes: { a: { type: "gate", data: {} } }, wires: ["start>a"] },
      nothing,
      aborted("Unknown workflow node type: gate"),
    ],
    [
      "limits and notes never run",
      { nodes: { a: { type: "limit", data: {} }, n: { type: "note", data: {} } }, wires: ["start>a", "start>n"] },
      nothing,
      { result: OK },
    ],
    [
      "an action delays the workflow until it has ended",
      acting(TAG),
      nothing,
      { acts: ["t:complete"], state: { t: { started: 1000, active: true } }, result: undefined },
    ],
    [
      "and its result joins the state",
      acting(TAG),
      (run) => run.acted("t", { code: 0, date: 7, details: "d", secret: 1 }),
      { state: { t: { active: false, code: 0, date: 7, details: "d", count: 1, completed: 1000 } }, result: OK },
    ],
    [
      "once, when a killed process reports it again, and the other actions are waited for",
      { nodes: { t: { type: "action", data: TAG }, u: { type: "action", data: TAG } }, wires: ["start>t", "start>u"] },
      (run) => run.acted("t", { code: 0 }, 2),
      { state: { t: { count: 1 }, u: { active: true } }, result: undefined },
    ],
    [
      "an action that fails is no error of the workflow",
      acting(TAG),
      (run) => run.acted("t", { code: 1 }),
      { state: { t: { code: 1 } }, result: OK },
    ],
    ["a disabled action is skipped", acting({ ...TAG, enabled: false }), nothing, { acts: [], result: OK }],
    ["an action that a test leaves out", { ...acting(TAG), conditions: ["error"] }, nothing, { acts: [], result: OK }],
    [
      "suspend has nothing to suspend",
      acting({ enabled: true, type: "suspend" }),
      nothing,
      { acts: [], state: { t: { error: true } }, result: WARNED },
    ],
    [
      "two wires reach two jobs",
      { nodes: { a: "job", b: "job" }, wires: ["start>a", "start>b"] },
      nothing,
      { ran: "a b" },
    ],
  ])("%s", check);

  test("a job knows the trigger or controller that started it, and the job before it", () => {
    const run = new PlayedRun(wired("success")).end("a");
    expect(run.launches.map(({ arrival }) => [arrival.launcher, arrival.parent])).toEqual([
      ["start", undefined],
      [undefined, { job: "j1" }],
    ]);
  });

  test("a node that is replayed from an ended job asks for it, and counts as a job", () => {
    const run = new PlayedRun({ nodes: { a: { type: "job", data: { replay: "jold" } } }, wires: ["start>a"] });
    expect(run.orders).toContainEqual({ kind: "replay", node: "a", job: "jold", activation: undefined, number: 1 });
    expect(run.state).toMatchObject({ jobs: 1, running: 1 });
  });
});

const conditions = (...list: string[]) => ({ conditions: ["complete", ...list] });

describe("the end of a sub-job", () => {
  test.each<Case>([
    ...["complete", "success"].map(
      (name): Case => [
        `fires wires for ${name}`,
        wired(name),
        (run) => run.end("a"),
        { ran: "a b", state: { c2: { completed: 1000 } } },
      ],
    ),
    ...["complete", "error"].map(
      (name): Case => [`that failed fires wires for ${name}`, wired(name), (run) => run.fail("a"), { ran: "a b" }],
    ),
    ...["user", "warning", "critical", "abort", "tag:slow"].map(
      (name): Case => [`fires wires for ${name}`, wired(name), (run) => run.end("a", conditions(name)), { ran: "a b" }],
    ),
    ["fires no wire of another condition", wired("error"), (run) => run.end("a"), { ran: "a", result: OK }],
    [
      "never fires start or continue",
      { nodes: { a: "job", b: "job", c: "job" }, wires: ["start>a", "a>b:continue", "a>c:start"] },
      (run) => run.end("a"),
      { ran: "a" },
    ],
    [
      "passes its output on",
      wired("success"),
      (run) => run.end("a", { output: { data: { n: 1 }, files: ["f"] } }),
      { inputs: [{}, { data: { n: 1 }, files: ["f"] }] },
    ],
    [
      "continues at the node that a resumption names, and not by its wires",
      { nodes: { a: "job", b: "job", c: "job" }, wires: ["start>a", "a>b:success"] },
      (run) => run.end("a", { redirect: "c", output: { data: { n: 1 } } }),
      { ran: "a c", inputs: [{}, { data: { n: 1 } }] },
    ],
    [
      "redirected still counts for its controller",
      { nodes: { r: { controller: "repeat", repeat: 1 }, a: "job", c: "job" }, wires: ["start>r", "r>a"] },
      (run) => run.end("a", { redirect: "c" }),
      { ran: "a c", state: { r: { active: false, count: 1 } } },
    ],
    [
      "shares data: members are merged, lists appended",
      { ...ONE, workflowData: { a: 1, list: [1], b: [1] } },
      (run) => run.end("a", { workflowData: { a: 2, list: [2, 3], b: "text" } }),
      { shared: { a: 2, list: [1, 2, 3], b: "text" } },
    ],
    [
      "passes up tags of users once, and no tags of the engine",
      { nodes: { a: "job", b: "job" }, wires: ["start>a", "start>b"] },
      (run) => run.end("a", { tags: ["slow", "_success"] }).end("b", { tags: ["slow", "cold"] }),
      { told: { tags: ["slow", "cold"] } },
    ],
    [
      "passes up the last table and page",
      { nodes: { a: "job", b: "job" }, wires: ["start>a", "start>b"] },
      (run) => run.end("a", { table: 1, html: "x" }).end("b", { table: 2 }),
      { told: { table: 2, html: "x" } },
    ],
    [
      "that is retried shares its data and does nothing else",
      wired("error"),
      (run) => run.fail("a", { retried: true, workflowData: { k: 1 }, tags: [] }),
      { ran: "a", shared: { k: 1 }, told: { tags: [] }, result: undefined },
    ],
    [
      "after other attempts fires its wires once",
      wired("error"),
      (run) => run.fail("a", { retried: true }).fail("a", { retried: true }).fail("a"),
      { ran: "a b" },
    ],
    [
      "writes results of its actions into the state, and the last one counts",
      {
        nodes: { r: { controller: "repeat", repeat: 2 }, a: "job", t: "action" },
        wires: ["start>r", "r>a", "a>t:complete"],
      },
      (run) =>
        [5, 6].map((date) =>
          run.end("a", {
            actions: [{ id: "t", conn: "c3", source: "workflow", type: "tag", condition: "complete", code: 0, date }],
          }),
        ),
      { acts: [], state: { t: { code: 0, date: 6, count: 2, completed: 6, started: 5 } } },
    ],
  ])("%s", check);
});
