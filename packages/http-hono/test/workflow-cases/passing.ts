import { expect } from "vitest";
import { aborted, type Case, decision, FAILS, failed, join, number, OK, repeat, tag, WARNED, wait } from "./parts.ts";

/** Controllers that hold back or pass on: decision, wait, join; wires after all jobs (docs/contract/workflows.md#controllers). */
export const PASSING_CASES: readonly Case[] = [
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
    "continue below its threshold",
    {
      nodes: { r: repeat(2, { continue: 51 }), a: "job", b: "job" },
      wires: ["start>r", "r>a", "a>b:continue"],
      answers: { a: [FAILS] },
    },
    "a a",
    WARNED,
  ],
  [
    "continue at its threshold",
    {
      nodes: { r: repeat(2, { continue: 50 }), a: "job", b: "job" },
      wires: ["start>r", "r>a", "a>b:continue"],
      answers: { a: [FAILS] },
    },
    "a a b",
    WARNED,
  ],
  [
    "a join gathers",
    {
      nodes: { a: "job", b: "job", j: join, z: "job" },
      wires: ["start>a", "start>b", "a>j:success", "b>j:success", "j>z"],
    },
    "a b z",
    { ...OK, workflow: { state: { j: { max: 2, count: 2, active: false } } } },
  ],
  [
    "a join whose wire cannot fire",
    {
      nodes: { a: "job", b: "job", j: join, z: "job" },
      wires: ["start>a", "start>b", "a>j:success", "b>j:success", "j>z"],
      answers: { b: [FAILS] },
    },
    "a b",
    { ...WARNED, workflow: { state: { j: { active: false, count: 1 } } } },
  ],
  [
    "a wait of no time",
    { nodes: { w: wait(0), a: "job" }, wires: ["start>w", "w>a"] },
    "a",
    { ...OK, workflow: { state: { w: { active: false, start: number, completed: number } } } },
  ],
  ["a wait", { nodes: { w: wait(5), a: "job" }, wires: ["start>w", "w>a"] }, "a", OK],
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
];
