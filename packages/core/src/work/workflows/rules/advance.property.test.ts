import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../../test/rounds.ts";
import { seededRandom } from "../../../testing/box/seeded-random.ts";
import type { Connection, GraphNode } from "../../graphs/model.ts";
import { EMPTY_RUN, type Kept, type NodeRow, type Question, type RunState } from "../model.ts";
import type { Order, World } from "./draft.ts";
import { type GraphIndex, indexGraph } from "./graph/graph-index.ts";
import { type Answer, advance, type Happening } from "./steps/advance.ts";
import { joined } from "./steps/joins.ts";
import { nextKey } from "./steps/left.ts";

const RUNS = rounds(1500, 10_000);
const MAX_JOBS = 40;
/** Steps after which the test leaves a run as soon as it waits, because it may wait again and again. */
const MAX_STEPS = 400;
/** Most steps of a run: a cycle without a wait may turn about 1,000 times between two jobs, but the run still ends. */
const MAX_TURNS = 1_100 * (MAX_JOBS + 1);

const CONDITIONS = ["complete", "success", "error", "continue", undefined] as const;
const kind = fc.constantFrom(
  ...(["job", "job", "job", "event", "action", "limit", "note"] as const),
  ...(["multiplex", "repeat", "split", "join", "join", "decision", "wait"] as const),
);

function nodeOf(id: string, what: string): GraphNode {
  const data: Record<string, Record<string, unknown>> = {
    job: { plugin: "p" },
    event: { event: "e" },
    action: { enabled: true, type: "tag" },
    limit: { enabled: true, type: "time" },
    note: {},
    repeat: { controller: "repeat", repeat: 3, continue: 50 },
    split: { controller: "split", split: "data" },
    decision: { controller: "decision", decision: "data" },
    wait: { controller: "wait", wait: 5 },
  };
  const isPlain = ["job", "event", "action", "limit", "note"].includes(what);
  return { id, type: isPlain ? what : "controller", data: data[what] ?? { controller: what } } as unknown as GraphNode;
}

const graphs = fc
  .array(kind, { minLength: 1, maxLength: 9 })
  .chain((kinds) => {
    const ids = ["t", ...kinds.map((_, index) => `n${index}`)];
    const wire = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids.slice(1)), fc.constantFrom(...CONDITIONS));
    return fc.tuple(fc.constant(kinds), fc.array(wire, { maxLength: 18 }));
  })
  .map(([kinds, wires]): GraphIndex => {
    const trigger = { id: "t", type: "trigger", data: {} } as GraphNode;
    const nodes = [trigger, ...kinds.map((what, index) => nodeOf(`n${index}`, what))];
    const seen = new Set<string>();
    const connections = wires.flatMap(([source, dest, condition], index): Connection[] => {
      const pair = `${source}>${dest}`;
      if (seen.has(pair)) return [];
      seen.add(pair);
      return [{ id: `c${index}`, source, dest, ...(condition ? { condition } : {}) }];
    });
    return indexGraph({ nodes, connections });
  });

interface Chance {
  next(bound: number): number;
}

/** A pseudo-random sequence from a seed. */
function chanceOf(seed: number): Chance {
  const { fraction } = seededRandom(seed);
  return { next: (bound) => (fraction() * 2 ** 32) % bound };
}

interface Pending {
  readonly kind: "job" | "act";
  readonly node: string;
  readonly activation?: string | undefined;
  readonly number?: number;
}

/** Plays a run to its end; records what happens to it and how often joins fire. */
function play(graph: GraphIndex, seed: number) {
  const chance = chanceOf(seed);
  let state: RunState = EMPTY_RUN;
  let rows: ReadonlyMap<string, NodeRow> = new Map();
  let now = 1000;
  const history: { readonly now: number; readonly happening: Happening }[] = [];
  const pending: Pending[] = [];
  const kept = new Map<string, Kept>();
  const fired = new Map<string, number>();
  let result: (Order & { kind: "finish" }) | undefined;

  const answerOf = (question: Question): Answer => {
    if (question.kind === "gather") return { kind: "gathered", join: question.join, input: joined([]) };
    const { controller, node, arrival } = question;
    const count = question.kind === "split" ? 2 : chance.next(3);
    return { kind: "jobs", controller, node, arrival, portions: { count } };
  };
  const step = (happening: Happening): void => {
    history.push({ now, happening });
    if (happening.kind === "answered" && happening.answer.kind === "gathered") {
      const { join } = happening.answer;
      fired.set(join, (fired.get(join) ?? 0) + 1);
    }
    const after = advance(worldOf(graph, now), { state, nodes: rows }, happening);
    state = after.state;
    rows = new Map([...rows, ...after.rows]);
    for (const order of after.orders) obey(order);
  };
  const obey = (order: Order): void => {
    if (order.kind === "launch") pending.push({ kind: "job", node: order.node, activation: order.activation });
    else if (order.kind === "act") pending.push({ kind: "act", node: order.node, number: order.number });
    else if (order.kind === "keep") {
      kept.set(order.key, order.kept);
      for (const [index, piece] of (order.pieces ?? []).entries()) kept.set(`${order.key}/${index}`, piece);
    } else if (order.kind === "unkeep") expect(kept.delete(order.key)).toBe(true);
    else if (order.kind === "finish") {
      expect(result).toBeUndefined();
      result = order;
    }
  };
  /**
   * The next step that the run itself requires: the nodes left to it, or open questions. Other happenings may come in between.
   */
  const ownNext = (): Happening | undefined => {
    const { left, asked, activations } = state;
    const [first] = left;
    if (first) return { kind: "left", kept: { ...kept.get(first.key), ...kept.get(nextKey(first)) } };
    const [key] = asked;
    const { question } = (key !== undefined && kept.get(key)) || {};
    if (key !== undefined && question) return { kind: "answered", key, answer: answerOf(question) };
    const [activation] = Object.entries(activations).find(([, { launched, max }]) => launched < max) ?? [];
    return activation === undefined ? undefined : { kind: "more", activation, kept: kept.get(activation) ?? {} };
  };
  const both = (happening: Happening): void => {
    step(happening);
    step({ kind: "settle" });
    // State and rows must survive a restart, in which they are stored as JSON and read back.
    if (chance.next(4) === 0) {
      state = JSON.parse(JSON.stringify(state)) as RunState;
      rows = new Map(JSON.parse(JSON.stringify([...rows])) as [string, NodeRow][]);
    }
  };
  both({ kind: "begin", start: "t", input: { data: { list: 1 } }, workflowData: {} });
  let steps = 0;
  const most = graph.graph.nodes.some(isWait) ? MAX_STEPS : MAX_TURNS;
  for (; !state.over && steps < most; steps++) {
    const waits = Object.entries(state.waits);
    const own = ownNext();
    if (pending.length === 0 && waits.length === 0 && !own) break;
    if (own && (pending.length + waits.length === 0 || chance.next(4) > 0)) both(own);
    else if (pending.length > 0 && (waits.length === 0 || chance.next(3) > 0))
      both(endOf(pending.splice(chance.next(pending.length), 1)[0] as Pending, chance, steps));
    else {
      const [node, at] = waits[chance.next(waits.length)] as [string, number];
      now = Math.max(now, at);
      both({ kind: "due", node, kept: kept.get(`wait:${node}`) as Kept });
    }
    if (chance.next(150) === 0) both({ kind: "abort", reason: "stopped" });
  }
  return { graph, state, rows, history, pending, fired, result, steps };
}

const isWait = ({ type, data }: GraphNode): boolean =>
  type === "controller" && (data as { controller: string }).controller === "wait";

function endOf({ kind: what, node, activation, number: act = 0 }: Pending, chance: Chance, number: number): Happening {
  if (what === "act") return { kind: "acted", node, number: act, result: { code: 0, date: 1 } };
  const succeeded = chance.next(3) > 0;
  const end = {
    ...{ id: `j${number}`, node, activation, succeeded, retried: false, tags: [], actions: [], parent: {} },
    conditions: ["complete", succeeded ? "success" : "error"],
  };
  return { kind: "ended", end, output: { data: { n: number } }, job: { data: { n: number } } };
}

const worldOf = (graph: GraphIndex, now: number): World => ({
  graph,
  now,
  maxJobs: MAX_JOBS,
  triggers: new Set(["t"]),
  allows: () => true,
  evaluate: (expression) => (expression === "data" ? ["a", "b"] : true),
  shared: {},
});

const seeds = fc.nat();

describe("a workflow of any shape, with any outcomes in any order", () => {
  test("ends once or waits for a time, and its joins fire once for each set of wires", () => {
    fc.assert(
      fc.property(graphs, seeds, (graph, given) => {
        const run = play(graph, given);
        if (run.steps < MAX_STEPS || !run.graph.graph.nodes.some(isWait)) {
          expect(run.result).toBeDefined();
          expect(run.pending).toEqual([]);
          expect(run.state).toMatchObject({ over: true, running: 0, acting: 0 });
        }
        expect(run.state.jobs).toBeLessThanOrEqual(MAX_JOBS);
        for (const [join, times] of run.fired)
          expect(times).toBeLessThanOrEqual(leastArrivals(run.history, graph, join));
      }),
      { numRuns: RUNS },
    );
  });

  test("has the same state after the same history", () => {
    fc.assert(
      fc.property(graphs, seeds, (graph, given) => {
        const run = play(graph, given);
        let state = EMPTY_RUN;
        let rows: ReadonlyMap<string, NodeRow> = new Map();
        for (const { now, happening } of run.history) {
          const after = advance(worldOf(graph, now), { state, nodes: rows }, happening);
          state = after.state;
          rows = new Map([...rows, ...after.rows]);
        }
        expect(state).toEqual(run.state);
        expect([...rows].toSorted()).toEqual([...run.rows].toSorted());
      }),
      { numRuns: rounds(250, 1000) },
    );
  });
});

/** An upper bound of a join's firings, from its least active source: one per end of its jobs; unbounded for a controller. */
function leastArrivals(history: ReturnType<typeof play>["history"], graph: GraphIndex, join: string): number {
  const counts = graph.into(join).map(({ source }) => {
    const node = graph.node(source);
    if (node?.type !== "job" && node?.type !== "event") return Number.POSITIVE_INFINITY;
    return history.filter(({ happening }) => happening.kind === "ended" && happening.end.node === source).length;
  });
  return Math.min(...counts, Number.POSITIVE_INFINITY);
}
