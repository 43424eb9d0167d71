import { isSystemTag } from "../../../../directory/tags/rules.ts";
import type { Arrival, Kept, NodeRow, PartEnd, Payload, RunState } from "../../model.ts";
import {
  abort,
  change,
  type Draft,
  endAct,
  isClosed,
  type Order,
  type Rows,
  rowOf,
  setRow,
  show,
  type World,
} from "../draft.ts";
import { mergeData } from "../merge-data.ts";
import { resultOf } from "../result.ts";
import { countEnd, endWait, startJobsFor, startMore } from "./controllers.ts";
import { goOnBehindJoin } from "./joins.ts";
import { takeLeft } from "./left.ts";
import type { Portions } from "./portions.ts";
import { visitWaiting } from "./visits.ts";

type Members = Readonly<Record<string, unknown>>;

/** Answer to a question that the run has asked. */
export type Answer =
  | {
      readonly kind: "jobs";
      readonly controller: string;
      readonly node: string;
      readonly arrival: Arrival;
      readonly portions: Portions;
    }
  | { readonly kind: "gathered"; readonly join: string; readonly input: Payload };

/** Something that happened to a run. */
export type Happening =
  | {
      readonly kind: "begin";
      readonly start: string | undefined;
      readonly input: Payload;
      readonly workflowData: Members;
    }
  | { readonly kind: "ended"; readonly end: PartEnd; readonly output: Payload; readonly job: Members }
  /** A job was refused at its launch. */
  | { readonly kind: "refused"; readonly node: string; readonly reason: string }
  | { readonly kind: "acted"; readonly node: string; readonly number: number; readonly result: Members }
  | { readonly kind: "due"; readonly node: string; readonly kept: Kept }
  /** The next jobs of an activation must be started. */
  | { readonly kind: "more"; readonly activation: string; readonly kept: Kept }
  /** The next nodes that were left must be run. */
  | { readonly kind: "left"; readonly kept: Kept }
  | { readonly kind: "answered"; readonly key: string; readonly answer: Answer }
  | { readonly kind: "abort"; readonly reason: string }
  /** All orders of a step have been executed; decides whether the run is over. */
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

/** Seconds. Shorter waits do not count as an interruption of a cycle. */
const MIN_WAIT = 1;

/** One step of a workflow, as a pure function of its graph, its state and what happened. */
export function advance(world: World, { state, nodes }: Before, happening: Happening): After {
  const draft: Draft = { world, state, known: nodes, changed: new Map(), orders: [], waiting: [] };
  if (interrupts(draft, happening)) change(draft, { visits: 0 });
  if (!state.over) take(draft, happening);
  visitWaiting(draft);
  return { state: draft.state, rows: draft.changed, orders: draft.orders };
}

/** True for a happening from outside of the graph. A cycle of joins or short waits keeps itself going, step after step. */
function interrupts({ world: { graph }, state }: Draft, happening: Happening): boolean {
  // Jobs that the cycle itself started may end while it turns, so they do not count.
  if (state.left.length > 0) return false;
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
      return takeResult(draft, happening);
    case "due":
      return endWait(draft, happening.node, happening.kept);
    case "more":
      return startMore(draft, happening.activation, happening.kept);
    case "left":
      return takeLeft(draft, happening.kept);
    case "answered":
      return takeAnswer(draft, happening);
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

/** Processes the end of a sub-job, in the order of docs/contract/workflows.md#when-a-sub-job-ends. */
function takeEnd(draft: Draft, { end, output, job }: Happening & { kind: "ended" }): undefined {
  noteActions(draft, end);
  change(draft, { workflowData: mergeData(draft.state.workflowData, end.workflowData) });
  // The next attempt belongs to the same node and activation, and counts as a further job.
  if (end.retried) return change(draft, { jobs: draft.state.jobs + 1 });
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
  const all = new Set([...before.tags, ...tags.filter((tag) => !isSystemTag(tag))]);
  return {
    ...before,
    tags: [...all],
    ...(table === undefined ? {} : { table }),
    ...(html === undefined ? {} : { html }),
  };
}

/** Stores the results of actions attached to the node; the last run counts. */
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
  const arrival = { input: output, parent: end.parent };
  for (const { id, dest, condition } of graph.from(end.node)) {
    const type = graph.node(dest)?.type;
    if (type === "action" || type === "limit" || condition === undefined || !conditions.has(condition)) continue;
    show(draft, id, { completed: now });
    draft.waiting.push({ node: dest, arrival, job, wire: id });
  }
}

/** Processes the end of a stand-alone action. The same end may arrive twice, if the process was killed right after it. */
function takeResult(draft: Draft, { node, number, result }: Happening & { kind: "acted" }): undefined {
  const { acting, acts } = draft.state;
  if (!acts.includes(number) && acting <= acts.length) return;
  const { shown } = rowOf(draft, node);
  endAct(draft, number);
  show(draft, node, {
    ...shown,
    ...resultMembers(result),
    active: false,
    count: Number(shown.count ?? 0) + 1,
    completed: draft.world.now,
  });
}

/** Takes the first answer to a question; a second one, from another process, is ignored. */
function takeAnswer(draft: Draft, { key, answer }: Happening & { kind: "answered" }): undefined {
  const { asked } = draft.state;
  if (!asked.includes(key) || isClosed(draft)) return;
  change(draft, { asked: asked.filter((other) => other !== key) });
  draft.orders.push({ kind: "unkeep", key });
  if (answer.kind === "gathered") goOnBehindJoin(draft, answer.join, answer.input);
  else startJobsFor(draft, answer, answer.portions);
}

/** Aborts the run without ordering the abort of its sub-jobs, which has already begun. */
function close(draft: Draft, reason: string): undefined {
  abort(draft, reason);
  const told = draft.orders.findIndex(({ kind }) => kind === "abort");
  if (told !== -1) draft.orders.splice(told, 1);
}

/** Ends the run when nothing is left that could continue it (docs/contract/workflows.md#finish). */
function settle(draft: Draft): undefined {
  const { state } = draft;
  if (state.running > 0 || state.acting > 0) return;
  if (state.aborted !== undefined) return finish(draft, { code: "abort", description: state.aborted });
  if (hasSteps(state) || Object.keys(state.waits).length > 0) return;
  // The remaining wires of these joins can no longer fire.
  for (const join of Object.keys(state.joins)) show(draft, join, { active: false });
  finish(draft, resultOf(state));
}

/** True when a question is open, or nodes or jobs are left to start: the run can take a step without any further happening. */
export const hasSteps = ({ aborted, over, activations, asked, left }: RunState): boolean =>
  aborted === undefined &&
  !over &&
  (asked.length + left.length > 0 || Object.values(activations).some(({ launched, max }) => launched < max));

function finish(draft: Draft, result: { readonly code: number | string; readonly description: string }): undefined {
  change(draft, { over: true, joins: {} });
  draft.orders.push({ kind: "finish", ...result });
}
