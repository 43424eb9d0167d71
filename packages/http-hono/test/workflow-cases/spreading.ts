import { expect } from "vitest";
import { aborted, type Case, decision, failed, job, multiplex, number, OK, repeat, split, WARNED } from "./parts.ts";

const item = (value: unknown) => ({ data: { item: value } });

/** Controllers that start several jobs: repeat, split, multiplex (docs/contract/workflows.md#controllers). */
export const SPREADING_CASES: readonly Case[] = [
  [
    "repeat",
    { nodes: { r: repeat(3), a: "job" }, wires: ["start>r", "r>a"] },
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
        m: multiplex(),
        a: job({ targets: ["main", "s1"] }),
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
        m: multiplex(),
        a: job({ targets: ["s9"] }),
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
        m: multiplex(),
        a: job({}),
      },
      wires: ["start>m", "m>a"],
    },
    "",
    aborted("No targets found for multiplex controller."),
  ],
  [
    "split with filter and chunks",
    {
      nodes: { s: split("data.list", { filter: "item != 'q'", chunk: 2 }), a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: ["p", "q", "r", "s"] },
    },
    "a a",
    { ...OK, workflow: { state: { s: { max: 2 } } } },
  ],
  [
    "split of what is no list",
    {
      nodes: { s: split("data.list"), a: "job" },
      wires: ["start>s", "s>a"],
      input: { list: 5 },
    },
    "",
    { ...WARNED, workflow: { state: { s: { error: true } } } },
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
];
