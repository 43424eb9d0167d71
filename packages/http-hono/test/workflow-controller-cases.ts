import { expect } from "vitest";
import type { Case } from "./workflow-cases.ts";

const job = (more: object = {}) => ({
  type: "job",
  data: { plugin: "shellplug", category: "general", targets: ["s1"], params: { script: "true" }, ...more },
});
const decision = (expression: string, more: object = {}) => ({ controller: "decision", decision: expression, ...more });
const split = (expression: string, more: object = {}) => ({ controller: "split", split: expression, ...more });
const repeat = (times: unknown, more: object = {}) => ({ controller: "repeat", repeat: times, ...more });
const multiplex = (more: object = {}) => ({ controller: "multiplex", ...more });
const wait = (seconds: unknown) => ({ controller: "wait", wait: seconds });
const join = { controller: "join" };
const tag = { type: "action", data: { enabled: true, type: "tag", tags: ["flag"] } };

const OK = { code: 0 };
const WARNED = { code: "warning" };
const FAILS = { code: 7, description: "no" };
const number = expect.any(Number);
const failed = (...nodes: readonly string[]) => ({
  ...WARNED,
  workflow: { state: Object.fromEntries(nodes.map((node) => [node, { error: true }])) },
});
const aborted = (description: unknown) => ({ code: "abort", description, workflow: { aborted: description } });
const item = (value: unknown) => ({ data: { item: value } });

/** Rows of docs/contract/workflows.md#controllers, beside those of the first table. */
export const CONTROLLER_CASES: readonly Case[] = [
  [
    "an unknown kind of controller",
    { nodes: { x: { controller: "magic" } }, wires: ["start>x"] },
    "",
    aborted("Unknown controller type: magic"),
  ],
  [
    "no kind of controller",
    { nodes: { x: { controller: "" } }, wires: ["start>x"] },
    "",
    aborted("Unknown controller type: "),
  ],
  [
    "repeat is once",
    { nodes: { r: { controller: "repeat" }, a: "job" }, wires: ["start>r", "r>a"] },
    "a",
    { ...OK, workflow: { state: { r: { max: 1, count: 1 } } } },
  ],
  ["repeat of no number", { nodes: { r: repeat("x"), a: "job" }, wires: ["start>r", "r>a"] }, "", failed("r")],
  [
    "repeat before two nodes",
    { nodes: { r: repeat(2), a: "job", b: "job" }, wires: ["start>r", "r>a", "r>b"] },
    "",
    failed("r"),
  ],
  ["repeat before nothing", { nodes: { r: repeat(2) }, wires: ["start>r"] }, "", failed("r")],
  [
    "repeat hands its input to each job",
    { nodes: { r: repeat("2"), a: "job" }, wires: ["start>r", "r>a"], input: { n: 1 } },
    "a a",
    OK,
    { a: [{ data: { n: 1 } }, { data: { n: 1 } }] },
  ],
  [
    "split before two nodes",
    { nodes: { s: split("data.list"), a: "job", b: "job" }, wires: ["start>s", "s>a", "s>b"], input: { list: [1] } },
    "",
    failed("s"),
  ],
  [
    "split of lines",
    { nodes: { s: split("data.text"), a: "job" }, wires: ["start>s", "s>a"], input: { text: " p \nq\r\nr\n" } },
    "a a a",
    OK,
    { a: [item("p "), item("q"), item("r")] },
  ],
  [
    "split of an empty text",
    { nodes: { s: split("data.text"), a: "job" }, wires: ["start>s", "s>a"], input: { text: " \n " } },
    "",
    failed("s"),
  ],
  [
    "split of an empty list",
    { nodes: { s: split("data.list"), a: "job" }, wires: ["start>s", "s>a"], input: { list: [] } },
    "",
    failed("s"),
  ],
  [
    "split whose expression fails",
    { nodes: { s: split("oh.no()"), a: "job" }, wires: ["start>s", "s>a"], input: { list: [1] } },
    "",
    failed("s"),
  ],
  [
    "split whose filter fails",
    {
      nodes: { s: split("data.list", { filter: "oh.no()" }), a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: [1] },
    },
    "",
    failed("s"),
  ],
  [
    "split whose filter keeps nothing",
    {
      nodes: { s: split("data.list", { filter: "false" }), a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: [1] },
    },
    "",
    failed("s"),
  ],
  [
    "split filters by index and makes groups, the last one shorter",
    {
      nodes: { s: split("data.list", { filter: "index > 0", chunk: 2 }), a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: [0, 1, 2, 3] },
    },
    "a a",
    OK,
    { a: [{ data: { items: [1, 2] } }, { data: { items: [3] } }] },
  ],
  [
    "split of the files of a job",
    {
      nodes: { a: "job", s: split("files"), b: "job" },
      wires: ["start>a", "a>s:success", "s>b"],
      answers: {
        a: [
          (id) => ({
            data: { n: 1 },
            files: ["x", "y"].map((name) => ({ filename: name, path: `files/jobs/${id}/${name}`, size: 1 })),
          }),
        ],
      },
    },
    "a b b",
    { ...OK, files: [{ filename: "x" }, { filename: "y" }] },
    {
      b: [
        { data: { n: 1 }, files: [expect.objectContaining({ filename: "x" })] },
        { data: { n: 1 }, files: [expect.objectContaining({ filename: "y" })] },
      ],
    },
  ],
  [
    "split sees the workflow, its parameters and what is shared",
    {
      nodes: { s: split("params.list", { filter: "item != workflowData.not && workflow.source == 'key'" }), a: "job" },
      wires: ["start>s", "s>a"],
      event: { params: { list: ["p", "q"] } },
      run: { workflowData: { not: "q" } },
    },
    "a",
    OK,
    { a: [item("p")] },
  ],
  ["decision before nothing", { nodes: { d: decision("true") }, wires: ["start>d"] }, "", failed("d")],
  [
    "decision without an expression",
    { nodes: { d: { controller: "decision" }, a: "job" }, wires: ["start>d", "d>a"] },
    "",
    failed("d"),
  ],
  [
    "decision runs all behind it with the same input",
    {
      nodes: { d: decision("input.data.n == 5 && data.n == 5"), a: "job", b: "job" },
      wires: ["start>d", "d>a", "d>b"],
      input: { n: 5 },
    },
    "a b",
    OK,
    { a: [{ data: { n: 5 } }], b: [{ data: { n: 5 } }] },
  ],
  [
    "decision sees parameters and the workflow",
    {
      nodes: { d: decision("params.region == 'eu' && workflow.type == 'workflow'"), a: "job" },
      wires: ["start>d", "d>a"],
      event: { params: { region: "eu" } },
    },
    "a",
    OK,
  ],
  [
    "wires from triggers and controllers need no condition",
    { nodes: { d: decision("true"), a: "job" }, wires: ["start>d:error", "d>a:critical"] },
    "a",
    OK,
  ],
  ["a wait of no number", { nodes: { w: wait("soon"), a: "job" }, wires: ["start>w", "w>a"] }, "", failed("w")],
  [
    "a wait without a number",
    { nodes: { w: { controller: "wait" }, a: "job" }, wires: ["start>w", "w>a"] },
    "",
    failed("w"),
  ],
  ["a wait of less than nothing", { nodes: { w: wait(-1), a: "job" }, wires: ["start>w", "w>a"] }, "", failed("w")],
  [
    "a wait before nothing",
    { nodes: { w: wait(1) }, wires: ["start>w"] },
    "",
    { ...OK, workflow: { state: { w: { active: false } } } },
  ],
  [
    "a wait is not reached again meanwhile, and keeps its first input",
    {
      nodes: { a: "job", b: "job", w: wait(3), c: "job" },
      wires: ["start>a", "start>b", "a>w:success", "b>w:success", "w>c"],
      answers: { a: [{ data: { n: 1 } }], b: [{ data: { n: 1 } }] },
    },
    "a b c",
    OK,
    { c: [{ data: { n: 1 } }] },
  ],
  [
    "a join hands on items, all of them merged and files",
    {
      nodes: { a: "job", b: "job", j: join, z: "job" },
      wires: ["start>a", "start>b", "b>j:success", "a>j:success", "j>z"],
      answers: {
        a: [(id) => ({ data: { n: 1, a: 1 }, files: [{ filename: "x", path: `files/jobs/${id}/x`, size: 1 }] })],
        b: [{ data: { n: 2 } }],
      },
    },
    "a b z",
    {
      ...OK,
      workflow: { state: { j: { max: 2, count: 2, active: false, completed: number }, c3: { completed: number } } },
    },
    {
      z: [
        {
          data: { items: [{ n: 2 }, { n: 1, a: 1 }], combined: { n: 1, a: 1 } },
          files: [expect.objectContaining({ filename: "x" })],
        },
      ],
    },
  ],
  [
    "one wire of a join that fires twice does not stand for another",
    {
      nodes: { r: repeat(2), a: "job", b: "job", j: join, z: "job" },
      wires: ["start>r", "r>a", "start>b", "a>j:success", "b>j:success", "j>z"],
      answers: { b: [FAILS] },
    },
    "a a b",
    { ...WARNED, workflow: { state: { j: { active: false } } } },
  ],
  [
    "a join after a circle has the data of all rounds",
    {
      nodes: { a: "job", d: decision("data.n < 2"), j: join, z: "job" },
      wires: ["start>a", "a>d:success", "d>a", "a>j:tag:flag", "j>z"],
      answers: { a: [{ data: { n: 1 } }, { data: { n: 2 }, push: { tags: ["flag"] } }] },
    },
    "a a z",
    OK,
    { z: [{ data: { items: [{ n: 1 }, { n: 2 }], combined: { n: 2 } } }] },
  ],
  ["a join before nothing", { nodes: { a: "job", j: join }, wires: ["start>a", "a>j:success"] }, "a", failed("j")],
  [
    "a join before two nodes",
    { nodes: { a: "job", j: join, y: "job", z: "job" }, wires: ["start>a", "a>j:success", "j>y", "j>z"] },
    "a",
    failed("j"),
  ],
  [
    "continue runs an action under this condition",
    { nodes: { r: repeat(2), a: "job", t: tag }, wires: ["start>r", "r>a", "a>t:continue"] },
    "a a",
    {
      ...OK,
      tags: expect.arrayContaining(["flag"]),
      workflow: { state: { t: { code: 0, count: 1, date: number, active: false } } },
    },
  ],
  [
    "continue gives no input, so that a decision behind it cannot be made",
    {
      nodes: { r: repeat(2), a: "job", d: decision("true"), b: "job" },
      wires: ["start>r", "r>a", "a>d:continue", "d>b"],
    },
    "a a",
    failed("d"),
  ],
  [
    "each job of a controller fires its own wires, continue fires once",
    {
      nodes: { r: repeat(2), a: "job", b: "job", c: "job" },
      wires: ["start>r", "r>a", "a>b:success", "a>c:continue"],
      answers: { a: [FAILS] },
    },
    "a a b c",
    WARNED,
  ],
  [
    "a controller that is reached twice counts each time by itself",
    {
      nodes: { a: "job", b: "job", r: repeat(1, { continue: 100 }), c: "job", z: "job" },
      wires: ["start>a", "start>b", "a>r:success", "b>r:success", "r>c", "c>z:continue"],
      answers: { c: [FAILS] },
    },
    "a b c c z",
    WARNED,
  ],
  [
    "an attempt that is tried again keeps its controller open",
    {
      nodes: {
        r: repeat(1),
        a: "job",
        l: { type: "limit", data: { enabled: true, type: "retry", amount: 1, duration: 2 } },
        z: "job",
      },
      wires: ["start>r", "r>a", "a>l", "a>z:continue"],
      answers: { a: [FAILS] },
    },
    "a a z",
    {
      ...OK,
      workflow: { state: { r: { max: 1, count: 1 } }, jobs: { a: [{ retried: true, files: [] }, { code: 0 }] } },
    },
  ],
  [
    "multiplex takes servers for which the expression holds",
    { nodes: { m: multiplex(), a: job({ targets: ["main"], expression: "id == 's2'" }) }, wires: ["start>m", "m>a"] },
    "a",
    { ...OK, workflow: { state: { m: { max: 1 } }, jobs: { a: [{ server: "s2" }] } } },
  ],
  [
    "multiplex with an expression that fails",
    { nodes: { m: multiplex(), a: job({ targets: ["main"], expression: "oh.no()" }) }, wires: ["start>m", "m>a"] },
    "",
    aborted(expect.any(String)),
  ],
  [
    "multiplex starts one after the other where that is wanted",
    { nodes: { m: multiplex({ stagger: 3 }), a: job({ targets: ["main"] }) }, wires: ["start>m", "m>a"] },
    "a a",
    { ...OK, workflow: { state: { m: { max: 2, count: 2 } } } },
  ],
  [
    "targets of the run replace those of all nodes",
    {
      nodes: { m: multiplex(), a: job({ targets: ["main"] }), b: job({ targets: ["main"] }) },
      wires: ["start>m", "m>a", "a>b:success"],
      run: { targets: ["s2"] },
    },
    "a b",
    { ...OK, workflow: { jobs: { a: [{ server: "s2" }], b: [{ server: "s2" }] } } },
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
