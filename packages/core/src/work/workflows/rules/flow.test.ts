import { describe, test } from "vitest";
import { type Case, check, nothing, once, WARNED } from "../../../../test/work/played-cases.ts";

const OK = { code: 0 };

const decision = (expression: string, more: object = {}) => ({ controller: "decision", decision: expression, ...more });
const JOB_BEHIND = { nodes: { a: "job", x: decision("code == 0 && id == 'j1'"), b: "job" }, wires: ["start>a"] };

describe("a decision", () => {
  test.each<Case>([
    [
      "that is true runs all nodes after it with the same input",
      {
        nodes: { x: decision("data.go"), a: "job", b: "job" },
        wires: ["start>x", "x>a", "x>b"],
        input: { data: { go: 1 } },
      },
      nothing,
      {
        ran: "a b",
        inputs: [{ data: { go: 1 } }, { data: { go: 1 } }],
        state: { x: { started: 1000, completed: 1000 } },
      },
    ],
    ["that is false runs nothing", once(decision("false")), nothing, { ran: "", result: OK }],
    [
      "that is false and aborts says so",
      once(decision("1 > 2", { abort: true })),
      nothing,
      { ran: "", result: { code: "abort", description: "Decision expression evaluated to false: 1 > 2" } },
    ],
    [
      "that cannot be evaluated reports an error",
      once(decision("nothing.of.this()", { abort: true })),
      nothing,
      { ran: "", state: { x: { error: true } }, result: WARNED },
    ],
    [
      "without a connection reports an error",
      { nodes: { x: decision("true") }, wires: ["start>x"] },
      nothing,
      { state: { x: { error: true } }, result: WARNED },
    ],
    [
      "after a job sees the whole record",
      { ...JOB_BEHIND, wires: ["start>a", "a>x:complete", "x>b"] },
      (run) => run.end("a", { record: { code: 0 } }),
      { ran: "a b" },
    ],
    [
      "sees the input, the parameters, the workflow and the shared data",
      {
        ...once(
          decision("input.data.n == 5 && params.region == 'eu' && workflow.id == 'jflow' && workflowData.k == 1"),
        ),
        ...{ input: { data: { n: 5 } }, workflowData: { k: 1 } },
      },
      nothing,
      { ran: "a" },
    ],
    [
      "does not hide members of the job",
      {
        ...JOB_BEHIND,
        nodes: { a: "job", x: decision("params.region == 'us'"), b: "job" },
        wires: ["start>a", "a>x:complete", "x>b"],
      },
      (run) => run.end("a", { record: { params: { region: "us" } } }),
      { ran: "a b" },
    ],
    [
      "without input reports an error",
      {
        nodes: { r: { controller: "repeat", repeat: 1 }, a: "job", x: decision("true"), b: "job" },
        wires: ["start>r", "r>a", "a>x:continue", "x>b"],
      },
      (run) => run.end("a"),
      { ran: "a", state: { x: { error: true } }, result: WARNED },
    ],
  ])("%s", check);
});

const wait = (seconds: unknown) => ({ controller: "wait", wait: seconds });

describe("a wait", () => {
  test.each<Case>([
    [
      "continues with its input after its time",
      { ...once(wait(5)), input: { data: { n: 1 } } },
      (run) => run.wait(4).wait(1),
      { ran: "a", inputs: [{ data: { n: 1 } }], state: { x: { start: 1000, active: false, completed: 1005 } } },
    ],
    [
      "runs nothing before it",
      once(wait(5)),
      (run) => run.wait(4.9),
      { ran: "", state: { x: { active: true } }, result: undefined },
    ],
    [
      "that is under way is not reached again",
      { nodes: { b: "job", x: wait(5), a: "job" }, wires: ["start>x", "start>b", "b>x:success", "x>a"] },
      (run) => {
        run.wait(3).end("b", { output: { data: { late: 1 } } });
        run.wait(2).wait(10);
      },
      { ran: "b a", inputs: [{}, {}] },
    ],
    [
      "that is over may be reached again",
      { nodes: { b: "job", x: wait(5), a: "job" }, wires: ["start>x", "start>b", "b>x:success", "x>a"] },
      (run) =>
        run
          .wait(5)
          .end("b", { output: { data: { late: 1 } } })
          .wait(5),
      { ran: "b a a", inputs: [{}, {}, { data: { late: 1 } }] },
    ],
    ["of no time continues at once", once(wait(0)), (run) => run.wait(0), { ran: "a" }],
    ["accepts a number as text", once(wait("5")), (run) => run.wait(5), { ran: "a" }],
    ["without a next node ends", { nodes: { x: wait(5) }, wires: ["start>x"] }, (run) => run.wait(5), { result: OK }],
    ...[undefined, null, "", "soon", -1, true, Number.NaN].map(
      (bad): Case => [
        `of ${String(bad)} reports an error`,
        once(wait(bad)),
        nothing,
        { ran: "", state: { x: { error: true } }, result: WARNED },
      ],
    ),
  ])("%s", check);
});

const join = { controller: "join" };
const TWO = {
  nodes: { a: "job", b: "job", x: join, z: "job" },
  wires: ["start>a", "start>b", "a>x:success", "b>x:success", "x>z"],
};
const gives = (data: object, files?: readonly unknown[]) => ({
  output: { data: { ...data }, ...(files ? { files } : {}) },
});

describe("a join", () => {
  test.each<Case>([
    [
      "waits for each of its wires",
      TWO,
      (run) => run.end("a"),
      { ran: "a b", state: { x: { active: true, max: 2, count: 1 } }, result: undefined },
    ],
    [
      "gives items by the order of wires, then all of them merged, and the files",
      TWO,
      (run) => run.end("b", gives({ n: 2, b: 1 }, ["g"])).end("a", gives({ n: 1, a: 1 }, ["f"])),
      {
        ran: "a b z",
        inputs: [
          {},
          {},
          {
            data: {
              items: [
                { n: 1, a: 1 },
                { n: 2, b: 1 },
              ],
              combined: { n: 2, a: 1, b: 1 },
            },
            files: ["f", "g"],
          },
        ],
        state: { x: { active: false, count: 2, completed: 1000 } },
      },
    ],
    [
      "is not fired by one wire that fires repeatedly",
      {
        nodes: { r: { controller: "repeat", repeat: 3 }, ...TWO.nodes },
        wires: ["start>r", "r>a", "start>b", "a>x:success", "b>x:success", "x>z"],
      },
      (run) => run.end("a").end("a").end("a"),
      { ran: "b a a a", state: { x: { active: true, count: 1 } } },
    ],
    [
      "keeps a second arrival on a wire for the next time",
      {
        nodes: { p: { controller: "repeat", repeat: 2 }, q: { controller: "repeat", repeat: 2 }, ...TWO.nodes },
        wires: ["start>p", "start>q", "p>a", "q>b", "a>x:success", "b>x:success", "x>z"],
      },
      (run) => run.end("a").end("a").end("b").end("b"),
      { ran: "a a b b z z", state: { x: { active: false, completed: 1000 } } },
    ],
    [
      "whose other wire cannot fire any more ends without an error",
      TWO,
      (run) => run.end("a").fail("b"),
      {
        ran: "a b",
        state: { x: { active: false, max: 2, count: 1 } },
        result: { code: "warning", description: "Workflow completed, but jobs failed." },
      },
    ],
    [
      "lets a wait end first",
      {
        nodes: { a: "job", w: wait(60), x: join, z: "job" },
        wires: ["start>a", "start>w", "a>x:success", "w>x", "x>z"],
      },
      (run) => run.end("a", gives({ n: 1 })).wait(60),
      { ran: "a z", inputs: [{}, { data: { items: [{ n: 1 }], combined: { n: 1 } } }] },
    ],
    [
      "leaves out attempts that were retried",
      TWO,
      (run) =>
        run
          .fail("a", { retried: true, ...gives({ n: 0 }) })
          .end("a", gives({ n: 1 }))
          .end("b"),
      { inputs: [{}, {}, { data: { items: [{ n: 1 }], combined: { n: 1 } } }] },
    ],
    [
      "after a loop returns all rounds",
      {
        nodes: { a: "job", d: decision("input.data.n < 2"), x: join, z: "job" },
        wires: ["start>a", "a>d:success", "d>a", "a>x:tag:done", "x>z"],
      },
      (run) =>
        run.end("a", gives({ n: 1 })).end("a", { ...gives({ n: 2 }), conditions: ["complete", "success", "tag:done"] }),
      { ran: "a a z", inputs: [{}, { data: { n: 1 } }, { data: { items: [{ n: 1 }, { n: 2 }], combined: { n: 2 } } }] },
    ],
    [
      "with two outgoing connections reports an error",
      { ...TWO, nodes: { ...TWO.nodes, y: "job" }, wires: [...TWO.wires, "x>y"] },
      (run) => run.end("a").end("b"),
      { ran: "a b", state: { x: { error: true } }, result: WARNED },
    ],
    [
      "that a run begins with continues at once",
      { nodes: { x: join, z: "job" }, wires: ["x>z"], start: "x" },
      nothing,
      { ran: "z" },
    ],
  ])("%s", check);
});
