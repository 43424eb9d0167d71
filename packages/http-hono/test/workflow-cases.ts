import { expect } from "vitest";
import type { ShortFlow } from "./open-flows.ts";

/** What is run, which nodes have had jobs, what the final record holds, and what jobs of some nodes were given. */
export type Case = [
  name: string,
  flow: ShortFlow,
  ran: string,
  job: object,
  inputs?: Readonly<Record<string, readonly object[]>>,
];

const shell = (more: object) => ({
  type: "job",
  data: { plugin: "shellplug", category: "general", params: { script: "true" }, ...more },
});
const decision = (expression: string, more: object = {}) => ({ controller: "decision", decision: expression, ...more });
const limit = (data: object) => ({ type: "limit", data: { enabled: true, ...data } });
const action = (data: object) => ({ type: "action", data: { enabled: true, ...data } });
const OK = { code: 0 };
const WARNED = { code: "warning" };
const aborted = (description: string) => ({ code: "abort", description, workflow: { aborted: description } });
const ONE = { nodes: { a: "job" }, wires: ["start>a"] };
const FAILS = { code: 7, description: "no" };
const number = expect.any(Number);

export const CASES: readonly Case[] = [
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
    { nodes: { t: action({ type: "tag", tags: ["flag"] }) }, wires: ["start>t"] },
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
    { nodes: { a: "job", t: action({ type: "tag", tags: ["flag"] }) }, wires: ["start>a", "a>t:success"] },
    "a",
    {
      ...OK,
      workflow: { state: { t: { code: 0, count: 1 } }, jobs: { a: [{ tags: expect.arrayContaining(["flag"]) }] } },
    },
  ],
  [
    "a decision on the job before it",
    {
      nodes: { a: "job", d: decision("data.a == 1 && code == 0"), b: "job" },
      wires: ["start>a", "a>d:complete", "d>b"],
    },
    "a b",
    { ...OK, workflow: { state: { d: { completed: number } } } },
  ],
  [
    "a decision that is false",
    { nodes: { d: decision("data.go"), b: "job" }, wires: ["start>d", "d>b"], input: { go: false } },
    "",
    OK,
  ],
  [
    "a decision that aborts",
    { nodes: { d: decision("data.go", { abort: true }), b: "job" }, wires: ["start>d", "d>b"], input: { go: false } },
    "",
    aborted("Decision expression evaluated to false: data.go"),
  ],
  [
    "a decision that cannot be evaluated",
    { nodes: { d: decision("oh.no()"), b: "job" }, wires: ["start>d", "d>b"] },
    "",
    { ...WARNED, workflow: { state: { d: { error: true } } } },
  ],
  [
    "repeat",
    { nodes: { r: { controller: "repeat", repeat: 3 }, a: "job" }, wires: ["start>r", "r>a"] },
    "a a a",
    { ...OK, workflow: { state: { r: { max: 3, count: 3, active: false, completed: number } } } },
  ],
  [
    "repeat before no job",
    { nodes: { r: { controller: "repeat" }, d: decision("true") }, wires: ["start>r", "r>d"] },
    "",
    { ...WARNED, workflow: { state: { r: { error: true } } } },
  ],
  [
    "multiplex over a group",
    {
      nodes: {
        m: { controller: "multiplex" },
        a: shell({ targets: ["main", "s1"] }),
      },
      wires: ["start>m", "m>a"],
    },
    "a a",
    { ...OK, workflow: { state: { m: { max: 2, count: 2 } } } },
  ],
  [
    "multiplex over servers that are not there",
    {
      nodes: {
        m: { controller: "multiplex" },
        a: shell({ targets: ["s9"] }),
      },
      wires: ["start>m", "m>a"],
    },
    "",
    { ...WARNED, workflow: { state: { m: { error: true } } } },
  ],
  [
    "multiplex without targets",
    {
      nodes: {
        m: { controller: "multiplex" },
        a: shell({}),
      },
      wires: ["start>m", "m>a"],
    },
    "",
    aborted("No targets found for multiplex controller."),
  ],
  [
    "split with filter and chunks",
    {
      nodes: { s: { controller: "split", split: "data.list", filter: "item != 'q'", chunk: 2 }, a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: ["p", "q", "r", "s"] },
    },
    "a a",
    { ...OK, workflow: { state: { s: { max: 2 } } } },
  ],
  [
    "split of what is no list",
    {
      nodes: { s: { controller: "split", split: "data.list" }, a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: 5 },
    },
    "",
    { ...WARNED, workflow: { state: { s: { error: true } } } },
  ],
  [
    "continue below its threshold",
    {
      nodes: { r: { controller: "repeat", repeat: 2, continue: 51 }, a: "job", b: "job" },
      wires: ["start>r", "r>a", "a>b:continue"],
      answers: { a: [FAILS] },
    },
    "a a",
    WARNED,
  ],
  [
    "continue at its threshold",
    {
      nodes: { r: { controller: "repeat", repeat: 2, continue: 50 }, a: "job", b: "job" },
      wires: ["start>r", "r>a", "a>b:continue"],
      answers: { a: [FAILS] },
    },
    "a a b",
    WARNED,
  ],
  [
    "a join gathers",
    {
      nodes: { a: "job", b: "job", j: { controller: "join" }, z: "job" },
      wires: ["start>a", "start>b", "a>j:success", "b>j:success", "j>z"],
    },
    "a b z",
    { ...OK, workflow: { state: { j: { max: 2, count: 2, active: false } } } },
  ],
  [
    "a join whose wire cannot fire",
    {
      nodes: { a: "job", b: "job", j: { controller: "join" }, z: "job" },
      wires: ["start>a", "start>b", "a>j:success", "b>j:success", "j>z"],
      answers: { b: [FAILS] },
    },
    "a b",
    { ...WARNED, workflow: { state: { j: { active: false, count: 1 } } } },
  ],
  [
    "a wait of no time",
    { nodes: { w: { controller: "wait", wait: 0 }, a: "job" }, wires: ["start>w", "w>a"] },
    "a",
    { ...OK, workflow: { state: { w: { active: false, start: number, completed: number } } } },
  ],
  ["a wait", { nodes: { w: { controller: "wait", wait: 5 }, a: "job" }, wires: ["start>w", "w>a"] }, "a", OK],
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
        a: shell({ targets: ["s1"], replay: "jgone" }),
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
];
