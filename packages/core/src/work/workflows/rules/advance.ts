import type { Arrival, Kept, NodeRow, PartEnd, Payload, RunState } from "../model.ts";
import { countEnd, endWait, type FoundServers, multiplexOver, splitInto, startMore } from "./controllers.ts";
import {
  abort,
  change,
  type Draft,
  isClosed,
  type Order,
  type Rows,
  rowOf,
  setRow,
  show,
  type Visit,
  type World,
} from "./draft.ts";
import { goOnBehindJoin } from "./joins.ts";
import { mergeData } from "./merge-data.ts";
import { runNode } from "./nodes.ts";
import { resultOf } from "./result.ts";

type Members = Readonly<Record<string, unknown>>;

/** What happened to a run. */
export type Happening =
  | {
      readonly kind: "begin";
      readonly start: string | undefined;
      readonly input: Payload;
      readonly workflowData: Members;
    }
  | { readonly kind: "ended"; readonly end: PartEnd; readonly output: Payload; readonly job: Members }
  /** A job could not be launched. */
  | { readonly kind: "refused"; readonly node: string; readonly reason: string }
  | { readonly kind: "acted"; readonly node: string; readonly result: Members }
  | { readonly kind: "due"; readonly node: string; readonly kept: Kept }
  | { readonly kind: "more"; readonly activation: string; readonly kept: Kept }
  | {
      readonly kind: "servers";
      readonly controller: string;
      readonly node: string;
      readonly arrival: Arrival;
      readonly servers: FoundServers;
    }
  | {
      readonly kind: "split";
      readonly controller: string;
      readonly node: string;
      readonly arrival: Arrival;
      /** Of each job, what takes the place of members of the input. */
      readonly inputs: readonly Payload[];
    }
  | { readonly kind: "gathered"; readonly join: string; readonly input: Payload }
  | { readonly kind: "abort"; readonly reason: string }
  /** Everything that a step asked for is done: does the run go on? */
  | { readonly kind: "settle" };

export interface Before {
  readonly state: RunState;
  readonly nodes: Rows;
}

export interface After {
  readonly state: RunState;
  /** Rows that the step has changed. */
  readonly rows: ReadonlyMap<string, NodeRow>;
  readonly orders: readonly Order[];
}

/** Nodes that are run in one go. */
const VISITS_IN_A_SLICE = 100;
/** More nodes than that, and twice those of the graph, without a job, an action or a wait between them: a circle. */
const MIN_VISITS = 1_000;
/** As many as a graph has connections: more nodes than that at a time are the same ones again and again. */
const MAX_WAITING = 20_000;
/** Waits that are shorter do not interrupt a circle. Seconds. */
const MIN_WAIT = 1;

/** One step of a workflow: a function of its graph, its state and what happened. */
export function advance(world: World, before: Before, happening: Happening): After {
  const slices = advanceInSlices(world, before, happening);
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done) return slice.value;
}

/** The same, with stops in which others have their turn: a step may run thousands of nodes. */
export function* advanceInSlices(
  world: World,
  { state, nodes }: Before,
  happening: Happening,
): Generator<undefined, After> {
  const draft: Draft = { world, state, known: nodes, changed: new Map(), orders: [], waiting: [] };
  if (interrupts(draft, happening)) change(draft, { visits: 0 });
  if (!state.over) take(draft, happening);
  yield* visitWaiting(draft);
  return { state: draft.state, rows: draft.changed, orders: draft.orders };
}

function* visitWaiting(draft: Draft): Generator<undefined, undefined> {
  const { waiting, world } = draft;
  const most = MIN_VISITS + 2 * world.graph.nodes.length;
  const before = draft.state.visits;
  let done = 0;
  for (; done < waiting.length && !isClosed(draft); done++) {
    const visit = waiting[done] as Visit;
    if (before + done >= most || waiting.length - done > MAX_WAITING)
      abort(draft, `Workflow runs in a circle without a job (Node #${visit.node})`);
    else runNode(draft, visit);
    if (done % VISITS_IN_A_SLICE === VISITS_IN_A_SLICE - 1) yield;
  }
  if (done > 0) change(draft, { visits: before + done });
}

/** Whether it came from outside of the graph: a circle of joins or of short waits turns by itself, step after step. */
function interrupts({ world: { graph } }: Draft, happening: Happening): boolean {
  if (happening.kind === "due") {
    const node = graph.node(happening.node);
    return node?.type === "controller" && Number(node.data.wait) >= MIN_WAIT;
  }
  return happening.kind === "ended" || happening.kind === "acted";
}

function take(draft: Draft, happening: Happening): undefined {
  switch (happening.kind) {
    case "begin":
      return begin(draft, happening);
    case "ended":
      return takeEnd(draft, happening);
    case "refused":
      change(draft, { running: draft.state.running - 1 });
      setRow(draft, happening.node, { launched: rowOf(draft, happening.node).launched - 1 });
      return abort(draft, happening.reason);
    case "acted":
      return takeResult(draft, happening.node, happening.result);
    case "due":
      return endWait(draft, happening.node, happening.kept);
    case "more":
      return startMore(draft, happening.activation, happening.kept);
    case "servers":
      return multiplexOver(draft, happening, happening.servers);
    case "split":
      return splitInto(draft, happening, happening.inputs);
    case "gathered":
      return goOnBehindJoin(draft, happening.join, happening.input);
    case "abort":
      return close(draft, happening.reason);
    case "settle":
      return settle(draft);
  }
}

function begin(draft: Draft, { start, input, workflowData }: Happening & { kind: "begin" }): undefined {
  const { graph } = draft.world.graph;
  change(draft, { workflowData });
  if (!start) return abort(draft, "Workflow has no start node specified.");
  if (!Array.isArray(graph.nodes) || graph.nodes.length === 0) return abort(draft, "Workflow has no nodes specified.");
  if (!Array.isArray(graph.connections)) return abort(draft, "Workflow is missing connections array.");
  if (!draft.world.graph.node(start)) return abort(draft, `Workflow start node not found: ${start}`);
  draft.waiting.push({ node: start, arrival: { input } });
}

/** The end of a sub-job, in the order of docs/contract/workflows.md#when-a-sub-job-ends. */
function takeEnd(draft: Draft, { end, output, job }: Happening & { kind: "ended" }): undefined {
  noteActions(draft, end);
  change(draft, { workflowData: mergeData(draft.state.workflowData, end.workflowData) });
  // The attempt that follows reports under the same node and activation.
  if (end.retried) return;
  const { running, succeeded, failed } = draft.state;
  change(draft, {
    running: running - 1,
    succeeded: succeeded + Number(end.succeeded),
    failed: failed + Number(!end.succeeded),
    told: told(draft.state.told, end),
  });
  setRow(draft, end.node, { ended: rowOf(draft, end.node).ended + 1 });
  if (isClosed(draft)) return;
  if (end.activation !== undefined) countEnd(draft, end.activation, end.succeeded);
  if (end.redirect === undefined) return fireWires(draft, { end, output, job });
  draft.waiting.push({ node: end.redirect, arrival: { input: output, parent: end.parent }, job });
}

function told(before: RunState["told"], { tags, table, html }: PartEnd): RunState["told"] {
  const all = new Set([...before.tags, ...tags.filter((tag) => !tag.startsWith("_"))]);
  return {
    ...before,
    tags: [...all],
    ...(table === undefined ? {} : { table }),
    ...(html === undefined ? {} : { html }),
  };
}

/** Results of actions that were attached to the node: the last run counts. */
function noteActions(draft: Draft, { actions }: PartEnd): undefined {
  for (const { id, conn: _wire, enabled: _on, type: _kind, condition: _when, source: _from, ...result } of actions) {
    const name = String(id);
    const { shown } = rowOf(draft, name);
    const { date } = result;
    show(draft, name, {
      started: Number(date),
      ...shown,
      ...resultMembers(result),
      count: Number(shown.count ?? 0) + 1,
      completed: Number(date),
    });
  }
}

const RESULTS = ["code", "description", "details", "date", "elapsed_ms", "loc"] as const;
const resultMembers = (result: Members): Members =>
  Object.fromEntries(RESULTS.flatMap((name) => (result[name] === undefined ? [] : [[name, result[name]]])));

function fireWires(draft: Draft, { end, output, job }: Omit<Happening & { kind: "ended" }, "kind">): undefined {
  const { graph, now } = draft.world;
  const conditions = new Set(end.conditions);
  for (const { id, dest, condition } of graph.from(end.node)) {
    const type = graph.node(dest)?.type;
    if (type === "action" || type === "limit" || condition === undefined || !conditions.has(condition)) continue;
    show(draft, id, { completed: now });
    draft.waiting.push({ node: dest, arrival: { input: output, parent: end.parent }, job, wire: id });
  }
}

/** A stand-alone action has ended. */
function takeResult(draft: Draft, node: string, result: Members): undefined {
  const { shown } = rowOf(draft, node);
  change(draft, { acting: draft.state.acting - 1 });
  show(draft, node, {
    ...shown,
    ...resultMembers(result),
    active: false,
    count: Number(shown.count ?? 0) + 1,
    completed: draft.world.now,
  });
}

/** Somebody ends the parts already. */
function close(draft: Draft, reason: string): undefined {
  abort(draft, reason);
  const told = draft.orders.findIndex(({ kind }) => kind === "abort");
  if (told !== -1) draft.orders.splice(told, 1);
}

/** Ends the run when nothing is left that could move it (docs/contract/workflows.md#finish). */
function settle(draft: Draft): undefined {
  const { state } = draft;
  if (state.running > 0 || state.acting > 0) return;
  if (state.aborted !== undefined) return finish(draft, { code: "abort", description: state.aborted });
  const isOpen = Object.values(state.activations).some(({ launched, max }) => launched < max);
  if (isOpen || Object.keys(state.waits).length > 0) return;
  // A join whose other wires can never fire any more.
  for (const join of Object.keys(state.joins)) show(draft, join, { active: false });
  finish(draft, resultOf(state));
}

function finish(draft: Draft, result: { readonly code: number | string; readonly description: string }): undefined {
  change(draft, { over: true, joins: {} });
  draft.orders.push({ kind: "finish", ...result });
}
