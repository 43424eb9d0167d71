import { messageOf } from "../../../../lib/message-of.ts";
import { hasPassed } from "../../../../lib/time/has-passed.ts";
import type { Activation, Arrival, ControllerData, Kept, NodeRow, Payload } from "../../model.ts";
import {
  abort,
  ask,
  change,
  type Draft,
  fail,
  isClosed,
  noteStart,
  rowOf,
  show,
  takeNumber,
  type Visit,
  visitAll,
  warn,
} from "../draft.ts";
import { runsJobs } from "../graph/graph-index.ts";
import { arriveAtJoin } from "./joins.ts";
import { launch, tooMany } from "./launches.ts";
import { LAUNCHED_IN_A_STEP, type Portions, pieceKey } from "./portions.ts";

type Members = Readonly<Record<string, unknown>>;

/** Runs a controller (docs/contract/workflows.md#controllers). */
export function runController(draft: Draft, id: string, data: ControllerData, visit: Visit): undefined {
  switch (data.controller) {
    case "decision":
      return decide(draft, id, data, visit);
    case "wait":
      return beginWait(draft, id, data, visit);
    case "join":
      return arriveAtJoin(draft, id, visit);
    case "repeat":
      return repeat(draft, id, data, visit);
    case "split":
      return split(draft, id, visit);
    case "multiplex":
      return multiplex(draft, id, visit);
    default:
      return abort(draft, `Unknown controller type: ${String(data.controller)}`);
  }
}

const NOT_ONE = "Controller needs exactly one output, to an event or job node";
const NO_INPUT = "No input has come";

/** The only node whose jobs the controller starts; undefined when there is none, or more than one. */
function controlledBy({ world: { graph } }: Draft, id: string): string | undefined {
  const wires = graph.from(id);
  const [only] = wires;
  return wires.length === 1 && only && runsJobs(graph.node(only.dest)) ? only.dest : undefined;
}

/**
 * Context of the expressions of split and decision, in addition to the workflow itself: the whole job from which the controller
 * is reached, otherwise the input. Undefined = no input has arrived.
 */
function contextOf(draft: Draft, { job, arrival: { input } }: Visit): Members | undefined {
  const base = job ?? (input && { data: input.data ?? {}, files: input.files ?? [] });
  return base && { workflowData: draft.state.workflowData, ...base };
}

function decide(draft: Draft, id: string, { decision, abort: ends }: ControllerData, visit: Visit): undefined {
  const base = contextOf(draft, visit);
  if (!base) return fail(draft, id, NO_INPUT);
  const text = String(decision ?? "");
  let value: unknown;
  try {
    value = draft.world.evaluate(text, { ...draft.world.shared, input: visit.arrival.input ?? {}, ...base });
  } catch (error) {
    return fail(draft, id, `Decision expression failed: ${messageOf(error)}`);
  }
  if (!value) {
    if (ends) return abort(draft, `Decision expression evaluated to false: ${text}`);
    return show(draft, id, { completed: draft.world.now });
  }
  if (visitAll(draft, id, visit.arrival) === 0) return fail(draft, id, "Nothing comes after the decision");
  show(draft, id, { completed: draft.world.now });
}

export const waitKey = (id: string): string => `wait:${id}`;

/** An arrival while the wait is in progress is ignored. */
function beginWait(draft: Draft, id: string, { wait }: ControllerData, { arrival }: Visit): undefined {
  if (draft.state.waits[id] !== undefined) return;
  const seconds = typeof wait === "number" || /\d/.test(String(wait)) ? Number(wait) : Number.NaN;
  if (!Number.isFinite(seconds) || seconds < 0) return fail(draft, id, "Wait has no number of seconds");
  const { now } = draft.world;
  const at = now + seconds;
  change(draft, { waits: { ...draft.state.waits, [id]: at } });
  show(draft, id, { active: true, start: now });
  draft.orders.push({ kind: "keep", key: waitKey(id), kept: { arrival } }, { kind: "wake", at });
}

/**
 * Whether a wait is over. It also ends when the clock was set back by at least its duration; otherwise it would last until the
 * clock catches up.
 */
export const isWaitOver = (at: number, { shown: { start = 0 } }: NodeRow, now: number): boolean =>
  at <= now || (start > now && hasPassed(start, at - start, now));

/** Ends a wait that is due, and visits the nodes after it. */
export function endWait(draft: Draft, id: string, { arrival = {} }: Kept): undefined {
  const { [id]: at, ...waits } = draft.state.waits;
  if (at === undefined || !isWaitOver(at, rowOf(draft, id), draft.world.now) || isClosed(draft)) return;
  change(draft, { waits });
  show(draft, id, { active: false, completed: draft.world.now });
  draft.orders.push({ kind: "unkeep", key: waitKey(id) });
  visitAll(draft, id, arrival);
}

function repeat(draft: Draft, id: string, { repeat: wanted }: ControllerData, { arrival }: Visit): undefined {
  const node = controlledBy(draft, id);
  const times = Math.floor(Number(wanted ?? 1));
  if (node === undefined) return fail(draft, id, NOT_ONE);
  if (!(times >= 1)) return fail(draft, id, "Repeat has no number of at least 1");
  activate(draft, { controller: id, node, max: times }, arrival);
}

function split(draft: Draft, id: string, visit: Visit): undefined {
  const node = controlledBy(draft, id);
  const context = contextOf(draft, visit);
  if (node === undefined) return fail(draft, id, NOT_ONE);
  if (!context) return fail(draft, id, NO_INPUT);
  ask(draft, { kind: "split", controller: id, node, arrival: visit.arrival, context });
}

function multiplex(draft: Draft, id: string, { arrival }: Visit): undefined {
  const node = controlledBy(draft, id);
  if (node === undefined) return fail(draft, id, NOT_ONE);
  ask(draft, { kind: "servers", controller: id, node, arrival });
}

/** A controller that has been reached, and the node whose jobs it will start. */
interface Reached {
  readonly controller: string;
  readonly node: string;
  readonly arrival: Arrival;
}

/** Continues a split or a multiplexer once the portions of its jobs are known. */
export function startJobsFor(draft: Draft, { controller, node, arrival }: Reached, portion: Portions): undefined {
  if ("aborts" in portion) return abort(draft, portion.aborts);
  const { count, pieces, replaced = [] } = portion;
  if (count === 0) return fail(draft, controller, "Found no items or servers to start jobs for");
  activate(draft, { controller, node, max: count, pieces }, { ...arrival, input: without(arrival.input, replaced) });
}

/**
 * The input without members that the jobs replace. The list of a split is usually most of the input, so it is not read again for
 * each job.
 */
const without = (input: Payload | undefined, replaced: readonly string[]): Payload | undefined =>
  input && Object.fromEntries(Object.entries(input).filter(([name]) => !replaced.includes(name)));

function activate(
  draft: Draft,
  use: Pick<Activation, "controller" | "node" | "max" | "pieces">,
  arrival: Arrival,
): undefined {
  const { controller, max } = use;
  const { maxJobs, now } = draft.world;
  const { activations, jobs } = draft.state;
  const others = Object.values(activations).reduce((sum, each) => sum + each.max - each.launched, jobs);
  if (others + max > maxJobs) {
    // Refused before the first job begins: the abort would end running ones.
    warn(draft, controller, `Cannot start ${max} jobs: the workflow has ${others} already, and may have ${maxJobs}`);
    return abort(draft, tooMany(maxJobs));
  }
  const activation = `${controller}:${takeNumber(draft)}`;
  const entry: Activation = { ...use, launched: 0, ended: 0, succeeded: 0, begun: now };
  change(draft, { activations: { ...activations, [activation]: entry } });
  show(draft, controller, { active: true, max: use.max, count: 0 });
  draft.orders.push({ kind: "keep", key: activation, kept: { arrival } });
}

/** Starts the next jobs of an activation. */
export function startMore(draft: Draft, activation: string, kept: Kept): undefined {
  const entry = draft.state.activations[activation];
  if (!entry || isClosed(draft)) return;
  const node = draft.world.graph.node(entry.node);
  // Noted once for all jobs that the controller starts.
  if (node && entry.launched === 0) noteStart(draft, node);
  const end = Math.min(entry.max, entry.launched + LAUNCHED_IN_A_STEP);
  for (let index = entry.launched; index < end && !isClosed(draft); index++)
    launch(draft, { node: entry.node, activation, ...partOf(draft, { entry, kept, index }) });
  const { activations } = draft.state;
  change(draft, { activations: { ...activations, [activation]: { ...entry, launched: end } } });
  if (entry.pieces) draft.orders.push({ kind: "unkeep", key: pieceKey(entry.pieces, entry.launched) });
  if (end === entry.max) draft.orders.push({ kind: "unkeep", key: activation });
}

interface Part {
  readonly entry: Activation;
  readonly kept: Kept;
  readonly index: number;
}

function partOf({ world }: Draft, { entry, kept: { arrival = {}, inputs, servers }, index }: Part) {
  const own = inputs?.[index - entry.launched];
  const input = own || arrival.input ? { ...arrival.input, ...own } : undefined;
  const server = servers?.[index - entry.launched];
  const node = world.graph.node(entry.controller);
  const stagger = node?.type === "controller" ? Number(node.data.stagger ?? 0) : 0;
  return {
    arrival: { ...arrival, input, launcher: entry.controller },
    ...(server === undefined ? {} : { targets: [server] }),
    ...(server !== undefined && index > 0 && stagger > 0 ? { until: entry.begun + stagger * index } : {}),
  };
}

/**
 * Counts the end of a job that a controller started. After the last one, wires of the condition `continue` fire
 * (docs/contract/workflows.md#continue).
 */
export function countEnd(draft: Draft, activation: string, succeeded: boolean): undefined {
  const entry = draft.state.activations[activation];
  if (!entry) return;
  const next = { ...entry, ended: entry.ended + 1, succeeded: entry.succeeded + Number(succeeded) };
  const { [activation]: _before, ...others } = draft.state.activations;
  const isLast = next.ended === next.max;
  change(draft, { activations: isLast ? others : { ...others, [activation]: next } });
  const isAlone = !Object.values(others).some(({ controller }) => controller === entry.controller);
  show(draft, entry.controller, {
    count: next.ended,
    max: next.max,
    ...(isLast ? { completed: draft.world.now, active: !isAlone } : {}),
  });
  if (isLast) fireContinue(draft, next);
}

function fireContinue(draft: Draft, { controller, node, succeeded, max }: Activation): undefined {
  const { graph } = draft.world;
  const found = graph.node(controller);
  const wanted = found?.type === "controller" ? Number(found.data.continue ?? 0) : 0;
  if (Math.floor((100 * succeeded) / max) < wanted) return;
  for (const { id, dest, condition } of graph.from(node)) {
    if (condition !== "continue") continue;
    show(draft, id, { completed: draft.world.now });
    // The wire carries no data: the collected output is in the workflow data.
    draft.waiting.push({ node: dest, arrival: { launcher: controller }, wire: id, condition: "continue" });
  }
}
