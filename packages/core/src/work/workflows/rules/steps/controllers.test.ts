import { describe, expect, test } from "vitest";
import { type Case, check, nothing, once, WARNED } from "../../../../../test/work/played-cases.ts";
import { type PlayedGraph, PlayedRun } from "../../../../testing/test-graphs.ts";

describe("controllers that start jobs", () => {
  const repeat = { controller: "repeat", repeat: 3 };
  const multiplex = { controller: "multiplex" };
  const split = { controller: "split", split: "data.list" };
  const THREE = { data: { list: ["p", "q", "r"] } };
  const wrong = [repeat, multiplex, split].flatMap((data): Case[] => [
    [
      `${data.controller} without a connection reports an error`,
      { nodes: { x: data }, wires: ["start>x"], input: THREE },
      nothing,
      { state: { x: { error: true } }, result: WARNED },
    ],
    [
      `${data.controller} with two reports an error`,
      { ...once(data, "x>b"), nodes: { x: data, a: "job", b: "job" }, input: THREE, servers: ["s1"] },
      nothing,
      { ran: "", state: { x: { error: true } } },
    ],
    [
      `${data.controller} before no job reports an error`,
      { nodes: { x: data, a: "action" }, wires: ["start>x", "x>a"], input: THREE, servers: ["s1"] },
      nothing,
      { acts: [], state: { x: { error: true } } },
    ],
  ]);
  test.each<Case>([
    ...wrong,
    [
      "repeat starts the given number at once",
      once(repeat),
      nothing,
      { ran: "a a a", state: { x: { active: true, max: 3, count: 0 }, a: { started: 1000 } } },
    ],
    ["repeat without a number starts one", once({ controller: "repeat" }), nothing, { ran: "a" }],
    [
      "repeat of nothing reports an error",
      once({ controller: "repeat", repeat: 0 }),
      nothing,
      { ran: "", state: { x: { error: true } } },
    ],
    [
      "jobs are counted, and the last one completes",
      once(repeat),
      (run) => run.end("a").fail("a").end("a"),
      { state: { x: { active: false, max: 3, count: 3, completed: 1000 } }, result: { code: "warning" } },
    ],
    [
      "an attempt that is retried does not count",
      once({ controller: "repeat", repeat: 1 }),
      (run) => run.fail("a", { retried: true }),
      { state: { x: { active: true, count: 0 } }, result: undefined },
    ],
    [
      "a split of a list",
      { ...once(split), input: THREE },
      nothing,
      { inputs: ["p", "q", "r"].map((item) => ({ data: { item } })) },
    ],
    [
      "keeps files beside the items",
      { ...once(split), input: { ...THREE, files: [1] } },
      nothing,
      { inputs: ["p", "q", "r"].map((item) => ({ data: { item }, files: [1] })) },
    ],
    [
      "a split of a text takes its lines",
      { ...once(split), input: { data: { list: "\n p\nq \n" } } },
      nothing,
      { inputs: [{ data: { item: "p" } }, { data: { item: "q" } }] },
    ],
    [
      "a filter gets item and index",
      { ...once({ ...split, filter: "item != 'q' && index < 2" }), input: THREE },
      nothing,
      { inputs: [{ data: { item: "p" } }] },
    ],
    [
      "a filter that keeps nothing reports an error",
      { ...once({ ...split, filter: "false" }), input: THREE },
      nothing,
      { ran: "", state: { x: { error: true } } },
    ],
    [
      "a filter that fails reports an error",
      { ...once({ ...split, filter: "oh.no()" }), input: THREE },
      nothing,
      { ran: "", state: { x: { error: true } } },
    ],
    [
      "chunks are groups, the last one shorter",
      { ...once({ ...split, chunk: 2 }), input: THREE },
      nothing,
      { inputs: [{ data: { items: ["p", "q"] } }, { data: { items: ["r"] } }] },
    ],
    ["a chunk of one is no group", { ...once({ ...split, chunk: 1 }), input: THREE }, nothing, { ran: "a a a" }],
    [
      "files are split into input files beside the data",
      { ...once({ ...split, split: " files " }), input: { data: { k: 1 }, files: ["f", "g"] } },
      nothing,
      {
        inputs: [
          { data: { k: 1 }, files: ["f"] },
          { data: { k: 1 }, files: ["g"] },
        ],
      },
    ],
    [
      "files in groups",
      { ...once({ ...split, split: "files", chunk: 2 }), input: { files: ["f", "g", "h"] } },
      nothing,
      { inputs: [{ files: ["f", "g"] }, { files: ["h"] }] },
    ],
    ...[{ list: {} }, { list: 5 }, { list: [] }, { list: " " }, {}].map(
      (data): Case => [
        `a split of ${JSON.stringify(data)} reports an error`,
        { ...once(split), input: { data } },
        nothing,
        { ran: "", state: { x: { error: true } }, result: WARNED },
      ],
    ),
    [
      "multiplex gives each job its server",
      { ...once(multiplex), servers: ["s1", "s2"] },
      (run) =>
        expect(run.launches.map(({ targets, until }) => [targets, until])).toEqual([
          [["s1"], undefined],
          [["s2"], undefined],
        ]),
      { ran: "a a" },
    ],
    [
      "multiplex starts the later ones later",
      { ...once({ controller: "multiplex", stagger: 10 }), servers: ["s1", "s2", "s3"] },
      (run) => expect(run.launches.map(({ until }) => until)).toEqual([undefined, 1010, 1020]),
      { ran: "a a a" },
    ],
    [
      "multiplex without servers reports an error",
      { ...once(multiplex), servers: [] },
      nothing,
      { ran: "", state: { x: { error: true } }, result: WARNED },
    ],
    [
      "multiplex without targets aborts",
      { ...once(multiplex), servers: { aborts: "No targets found for multiplex controller." } },
      nothing,
      { result: { code: "abort", description: "No targets found for multiplex controller." } },
    ],
    [
      "an unknown kind aborts",
      once({ controller: "dice" }),
      nothing,
      { result: { code: "abort", description: "Unknown controller type: dice" } },
    ],
    [
      "their jobs know the controller",
      once(repeat),
      (run) => expect(run.launches.map(({ arrival }) => arrival.launcher)).toEqual(["x", "x", "x"]),
      {},
    ],
  ])("%s", check);

  test("the service requests jobs beyond the first fifteen, and each has its own item", () => {
    const list = Array.from({ length: 40 }, (_, index) => index);
    const run = new PlayedRun({ ...once(split), input: { data: { list } } });
    expect(run.launches).toHaveLength(15);
    const [activation = ""] = Object.keys(run.state.activations);
    run.more(activation).more(activation);
    expect(run.launches.map(({ arrival }) => arrival.input?.data?.["item"])).toEqual(list);
    expect([...run.kept.keys()]).toEqual([]);
  });
});

const rounds = (continues: unknown) => ({
  nodes: { x: { controller: "repeat", repeat: 3, continue: continues }, a: "job", b: "job" },
  wires: ["start>x", "x>a", "a>b:continue"],
});

describe("continue", () => {
  test.each<Case>([
    ["fires once, after the last job", rounds(undefined), (run) => run.end("a").end("a"), { ran: "a a a" }],
    [
      "passes nothing on",
      rounds(undefined),
      (run) => run.end("a").fail("a").end("a"),
      { ran: "a a a b", inputs: [{}, {}, {}, undefined] },
    ],
    [
      "requires no success by itself",
      rounds(undefined),
      (run) => run.fail("a").fail("a").fail("a"),
      { ran: "a a a b" },
    ],
    [
      "takes whole percents: two of three are 66",
      rounds(66),
      (run) => run.end("a").fail("a").end("a"),
      { ran: "a a a b" },
    ],
    ["and not 67", rounds(67), (run) => run.end("a").fail("a").end("a"), { ran: "a a a", result: { code: "warning" } }],
    ["all of them", rounds(100), (run) => run.end("a").end("a").end("a"), { ran: "a a a b" }],
    [
      "runs actions by its own condition",
      {
        nodes: { x: { controller: "repeat", repeat: 1 }, a: "job", t: "action" },
        wires: ["start>x", "x>a", "a>t:continue"],
      },
      (run) => run.end("a"),
      { acts: ["t:continue"], result: undefined },
    ],
    [
      "other wires fire for each job",
      {
        nodes: { x: { controller: "repeat", repeat: 2 }, a: "job", b: "job" },
        wires: ["start>x", "x>a", "a>b:success"],
      },
      (run) => run.end("a", { output: { data: { n: 1 } } }).end("a", { output: { data: { n: 2 } } }),
      { ran: "a a b b", inputs: [{}, {}, { data: { n: 1 } }, { data: { n: 2 } }] },
    ],
    [
      "a controller that is reached twice counts twice",
      {
        nodes: { p: "job", x: { controller: "repeat", repeat: 2, continue: 100 }, a: "job", b: "job" },
        wires: ["start>x", "start>p", "p>x:success", "x>a", "a>b:continue"],
      },
      (run) => run.end("p").end("a").fail("a").end("a").end("a"),
      { ran: "p a a a a b", state: { x: { active: false } } },
    ],
    [
      "does not fire in a workflow that is being aborted",
      rounds(0),
      (run) => run.end("a").end("a").take({ kind: "abort", reason: "stopped" }).end("a"),
      { ran: "a a a", result: { code: "abort", description: "stopped" } },
    ],
  ])("%s", check);
});

test.each<[string, PlayedGraph, string]>([
  ["decision", once({ controller: "decision", decision: "1 +" }), "Decision expression failed: "],
  ["end", { nodes: { x: { controller: "decision", decision: "1" } }, wires: ["start>x"] }, "Nothing comes after"],
  ["wait", once({ controller: "wait", wait: -1 }), "Wait has no number of seconds (Node #x)"],
  ["times", once({ controller: "repeat", repeat: 0 }), "Repeat has no number of at least 1 (Node #x)"],
  ["outputs", { nodes: { x: { controller: "multiplex" } }, wires: ["start>x"] }, "Controller needs exactly one output"],
  ["items", once({ controller: "split", split: "data.none" }), "Found no items or servers to start jobs for (Node #x)"],
])("the milestones of the job say why a node failed: %s", (_name, graph, reason) => {
  const { warnings } = new PlayedRun(graph).view;
  expect(warnings).toEqual([expect.stringMatching(`^${reason.replace(/[()]/g, "\\$&")}`)]);
});
