import { expect } from "vitest";
import { aborted, action, type Case, decision, FAILS, job, limit, number, OK, tag, WARNED } from "./parts.ts";

const ONE = { nodes: { a: "job" }, wires: ["start>a"] };

/** Wires and their conditions, start nodes, actions, and how a workflow ends (docs/contract/workflows.md). */
export const WIRE_CASES: readonly Case[] = [
  [
    "a chain hands data on",
    { nodes: { a: "job", b: "job" }, wires: ["start>a", "a>b:success"] },
    "a b",
    { ...OK, data: { a: 1, b: 1 } },
  ],
  [
    "a failed job takes the other wires",
    {
      nodes: { a: "job", b: "job", c: "job", d: "job" },
      wires: ["start>a", "a>b:success", "a>c:error", "a>d:complete"],
      answers: { a: [FAILS] },
    },
    "a c d",
    WARNED,
  ],
  [
    "warning, critical and user are conditions",
    {
      nodes: { a: "job", b: "job", w: "job", c: "job" },
      wires: ["start>a", "start>b", "a>w:warning", "b>c:critical"],
      answers: { a: [{ code: "warning" }], b: [{ code: "critical" }] },
    },
    "a b w c",
    {},
  ],
  [
    "a tag is a condition",
    {
      nodes: { a: "job", b: "job", c: "job" },
      wires: ["start>a", "a>b:tag:flag", "a>c:tag:impt"],
      answers: { a: [{ push: { tags: ["flag"] } }] },
    },
    "a b",
    { ...OK, tags: expect.arrayContaining(["flag"]) },
  ],
  ["a wire without a condition never fires", { nodes: { a: "job", b: "job" }, wires: ["start>a", "a>b"] }, "a", OK],
  ["all failed", { ...ONE, answers: { a: [FAILS] } }, "a", { code: 1 }],
  [
    "only actions",
    { nodes: { t: tag }, wires: ["start>t"] },
    "",
    {
      ...OK,
      tags: expect.arrayContaining(["flag"]),
      workflow: { state: { t: { code: 0, date: number, count: 1, active: false } } },
    },
  ],
  [
    "a disabled action is passed over",
    { nodes: { t: action({ enabled: false, type: "tag", tags: ["flag"] }) }, wires: ["start>t"] },
    "",
    { ...OK, workflow: { state: { t: { started: number } } } },
  ],
  [
    "suspend beside no job is an error of the node",
    { nodes: { t: action({ type: "suspend" }) }, wires: ["start>t"] },
    "",
    { ...WARNED, workflow: { state: { t: { error: true } } } },
  ],
  [
    "a trigger that leads nowhere is one, too",
    { nodes: { a: "job" }, wires: [] },
    "",
    { ...WARNED, workflow: { state: { start: { error: true, completed: number } } } },
  ],
  [
    "an action of a node runs in its job",
    { nodes: { a: "job", t: tag }, wires: ["start>a", "a>t:success"] },
    "a",
    {
      ...OK,
      workflow: { state: { t: { code: 0, count: 1 } }, jobs: { a: [{ tags: expect.arrayContaining(["flag"]) }] } },
    },
  ],
  [
    "an attempt that is tried again",
    {
      nodes: { a: "job", t: limit({ type: "retry", amount: 2, duration: 0 }), b: "job" },
      wires: ["start>a", "a>t", "a>b:success"],
      answers: { a: [FAILS] },
    },
    "a a b",
    { ...OK, workflow: { jobs: { a: [{ code: 7, retried: true }, { code: 0 }] } } },
  ],
  [
    "a circle without a job",
    { nodes: { d: decision("true"), e: decision("true") }, wires: ["start>d", "d>e", "e>d"] },
    "",
    { code: "abort", description: expect.stringContaining("Workflow runs in a circle without a job") },
  ],
  [
    "more jobs than allowed",
    { nodes: { a: "job" }, wires: ["start>a", "a>a:success"] },
    "a a a a a a a a",
    aborted("Maximum jobs per workflow reached (8)"),
  ],
  [
    "a start node that is not there",
    { ...ONE, run: { "workflow/start": "zz" } },
    "",
    aborted("Workflow start node not found: zz"),
  ],
  [
    "another start node",
    { nodes: { a: "job", b: "job" }, wires: ["start>a", "a>b:success"], run: { "workflow/start": "b" } },
    "b",
    OK,
  ],
  [
    "what jobs share",
    {
      nodes: { a: "job", d: decision("workflowData.n == 2"), b: "job" },
      wires: ["start>a", "a>d:success", "d>b"],
      answers: { a: [{ workflowData: { n: 2, list: [1] } }] },
      run: { workflowData: { n: 1, list: [0] } },
    },
    "a b",
    { ...OK, data: { n: 2, list: [0, 1] } },
  ],
  [
    "an unknown replay",
    {
      nodes: {
        a: job({ targets: ["s1"], replay: "jgone" }),
      },
      wires: ["start>a"],
    },
    "",
    aborted("Job not found for replay: jgone"),
  ],
  [
    "the last table",
    { ...ONE, answers: { a: [{ table: { header: ["n"], rows: [[1]] } }] } },
    "a",
    { ...OK, table: { header: ["n"], rows: [[1]] } },
  ],
  [
    "an error of users is a condition, of any code",
    {
      nodes: { a: "job", b: "job", c: "job", d: "job" },
      wires: ["start>a", "start>b", "a>c:user", "b>d:user"],
      answers: { a: [FAILS], b: [{ code: "warning" }] },
    },
    "a b c",
    WARNED,
  ],
  [
    "a job that says it was aborted fires abort, error and complete",
    {
      nodes: { a: "job", b: "job", c: "job", d: "job", e: "job" },
      wires: ["start>a", "a>b:abort", "a>c:error", "a>d:complete", "a>e:success"],
      answers: { a: [{ code: "abort" }] },
    },
    "a b c d",
    WARNED,
  ],
  [
    "the start trigger hands on the input of the run, to all behind it",
    { nodes: { a: "job", b: "job" }, wires: ["start>a", "start>b"], input: { n: 1 } },
    "a b",
    { ...OK, workflow: { state: { start: { started: number, completed: number }, a: { started: number } } } },
    { a: [{ data: { n: 1 } }], b: [{ data: { n: 1 } }] },
  ],
  [
    "a note that is shown stays in the graph that runs",
    { nodes: { a: "job", n: { type: "note", data: { body: "x", show: true } } }, wires: ["start>a"] },
    "a",
    { ...OK, workflow: { nodes: [{ id: "start" }, { id: "a" }, { id: "n" }] } },
  ],
  [
    "modifiers stand as nodes without wires",
    {
      nodes: { a: "job", o: "trigger" },
      wires: ["start>a"],
      event: {
        triggers: [
          { id: "start", type: "manual", enabled: true },
          { id: "o", type: "blackout", enabled: true, start: 1, end: 2 },
        ],
      },
    },
    "a",
    OK,
  ],
  [
    "a workflow whose trigger has gone is aborted",
    { nodes: { a: "job", o: "trigger" }, wires: ["start>a", "o>a"], run: { "workflow/start": "o" } },
    "",
    aborted("Could not find linked trigger definition: o"),
  ],
  [
    "a graph without nodes",
    { nodes: { a: "job" }, wires: [], run: { workflow: { nodes: [], connections: [], start: "" } } },
    "",
    aborted(expect.stringMatching(/^Workflow (has no (start node|nodes) specified\.|start node not found: start)$/)),
  ],
  [
    "conditions of a test are those of its action nodes",
    { nodes: { t: tag }, wires: ["start>t"], run: { test: true, test_conditions: ["error"] } },
    "",
    { ...OK, tags: expect.not.arrayContaining(["flag"]) },
  ],
];
