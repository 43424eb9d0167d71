import { describe, expect, test } from "vitest";
import { EMPTY_RUN, type Kept, type NodeRow, type RunState } from "../model.ts";
import type { Order, World } from "./draft.ts";
import { indexGraph } from "./graph/graph-index.ts";
import { splitItems } from "./split.ts";
import { advance, type Happening } from "./steps/advance.ts";
import { nextKey } from "./steps/left.ts";

const decision = (id: string) => ({ id, type: "controller", data: { controller: "decision", decision: "true" } });
const job = (id: string) => ({ id, type: "job", data: { plugin: "p" } });

/** All steps of a run that never waits, with the orders of each. */
function stepsOf(nodes: readonly { readonly id: string }[], wires: readonly (readonly [string, string])[]) {
  const connections = wires.map(([source, dest], index) => ({ id: `c${index}`, source, dest }));
  const world: World = {
    graph: indexGraph({ nodes, connections } as never),
    ...{ now: 1000, maxJobs: 10_000, triggers: new Set(), shared: {} },
    allows: () => true,
    evaluate: () => true,
  };
  const kept = new Map<string, Kept>();
  let state: RunState = EMPTY_RUN;
  let rows: ReadonlyMap<string, NodeRow> = new Map();
  const steps: Order[][] = [];
  const take = (happening: Happening): void => {
    const after = advance(world, { state, nodes: rows }, happening);
    state = after.state;
    rows = new Map([...rows, ...after.rows]);
    steps.push([...after.orders]);
    for (const order of after.orders) {
      if (order.kind === "unkeep") expect(kept.delete(order.key)).toBe(true);
      if (order.kind !== "keep") continue;
      kept.set(order.key, order.kept);
      for (const [index, piece] of (order.pieces ?? []).entries()) kept.set(`${order.key}/${index}`, piece);
    }
  };
  take({ kind: "begin", start: String(nodes[0]?.id), input: { data: { n: 1 } }, workflowData: {} });
  for (let [first] = state.left; first; [first] = state.left) {
    take({ kind: "settle" });
    expect(state.over).toBe(false);
    take({ kind: "left", kept: { ...kept.get(first.key), ...kept.get(nextKey(first)) } });
  }
  return { steps, state, rows, kept };
}

const launchesOf = (orders: readonly Order[]) => orders.filter((order) => order.kind === "launch");
const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("one step of a workflow", () => {
  test("runs a hundred nodes at most and leaves the others to later steps", () => {
    const names = ids("d", 1000);
    const { steps, rows, kept } = stepsOf(
      names.map(decision),
      names.slice(1).map((dest, index) => [`d${index}`, dest] as const),
    );
    expect(steps.filter((orders) => orders.some(({ kind }) => kind === "meta"))).toHaveLength(10);
    expect(rows.get("d999")?.shown).toMatchObject({ started: 1000 });
    expect(kept.size).toBe(0);
  });

  test("starts fifteen jobs at most, and keeps the input of the remaining ones once", () => {
    const names = ids("a", 1000);
    const { steps, state, kept } = stepsOf(
      [decision("d"), ...names.map(job)],
      names.map((name) => ["d", name] as const),
    );
    const launches = steps.flatMap(launchesOf);
    expect(Math.max(...steps.map((orders) => launchesOf(orders).length))).toBe(15);
    expect(launches.map(({ node }) => node)).toEqual(names);
    expect(new Set(launches.map(({ arrival }) => JSON.stringify(arrival)))).toEqual(
      new Set([JSON.stringify({ input: { data: { n: 1 } }, launcher: "d" })]),
    );
    const keeps = steps.flat().filter((order) => order.kind === "keep");
    expect(keeps.map((order) => order.kept.ways?.length)).toEqual([1]);
    expect(state).toMatchObject({ running: 1000, jobs: 1000, left: [] });
    expect(kept.size).toBe(0);
  });
});

/** Runs sliced work to its end; returns how often it yielded, and the result. */
function drained<R>(slices: Generator<undefined, R>): { readonly stops: number; readonly value: R } {
  for (let stops = 0, slice = slices.next(); ; stops++, slice = slices.next())
    if (slice.done) return { stops, value: slice.value };
}

test("a filter over ten thousand items pauses a hundred times, and keeps the right ones", () => {
  const list = Array.from({ length: 10_000 }, (_, index) => index);
  const data = { controller: "split", split: "list", filter: "odd" } as const;
  const evaluate = (text: string, { item }: { readonly item?: unknown }) => (text === "list" ? list : Number(item) % 2);
  const { stops, value } = drained(splitItems(data, evaluate));
  expect(stops).toBe(100);
  expect(value).toHaveLength(5000);
});
