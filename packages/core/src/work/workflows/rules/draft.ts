import type { GraphNode } from "../../graphs/model.ts";
import type { Arrival, Kept, NodeRow, NodeState, Question, RunState } from "../model.ts";
import { EMPTY_NODE } from "../model.ts";
import type { GraphIndex } from "./graph/graph-index.ts";

type Members = Readonly<Record<string, unknown>>;

/** An effect of a step, as data. The service carries it out in the transaction that stores the state. */
export type Order =
  | {
      readonly kind: "launch";
      readonly node: string;
      readonly arrival: Arrival;
      readonly activation?: string | undefined;
      readonly targets?: readonly string[] | undefined;
      /** Unix seconds; the job starts no earlier. */
      readonly until?: number | undefined;
    }
  /** Feed the job that stands in for a run of the node. */
  | {
      readonly kind: "replay";
      readonly node: string;
      readonly job: string;
      readonly activation?: string | undefined;
      /** Tells the runs for which the same job stands in from each other. */
      readonly number: number;
    }
  /** Run the action of the node beside the workflow. */
  | { readonly kind: "act"; readonly node: string; readonly condition: string; readonly number: number }
  /** Pieces are kept beside it, under `pieceKey`. */
  | { readonly kind: "keep"; readonly key: string; readonly kept: Kept; readonly pieces?: readonly Kept[] }
  | { readonly kind: "unkeep"; readonly key: string }
  /** Look at the run again at that time. Unix seconds. */
  | { readonly kind: "wake"; readonly at: number }
  | { readonly kind: "meta"; readonly node: string; readonly text: string }
  /** End the jobs that run. */
  | { readonly kind: "abort"; readonly reason: string }
  | { readonly kind: "finish"; readonly code: number | string; readonly description: string };

/** Everything a step reads beside its own state; the same answers give the same step. */
export interface World {
  readonly graph: GraphIndex;
  /** Unix seconds. */
  readonly now: number;
  /** Most jobs of one workflow. */
  readonly maxJobs: number;
  /** Triggers that the event has now. */
  readonly triggers: ReadonlySet<string>;
  /** True when actions of this condition may run: a test run may leave some out. */
  allows(condition: string): boolean;
  /** Value of an expression; throws when it cannot be had. */
  evaluate(expression: string, context: Members): unknown;
  /** Members that each expression sees beside its own context: `workflow`, `params`. */
  readonly shared: Members;
}

/** Rows of nodes and connections by name. */
export interface Rows {
  get(name: string): NodeRow | undefined;
}

/** A step that is being made: the state so far, and the orders that follow. */
export interface Draft {
  readonly world: World;
  state: RunState;
  /** The rows that the step began with. */
  readonly known: Rows;
  /** Members that differ by now. */
  readonly changed: Map<string, NodeRow>;
  readonly orders: Order[];
  /** Nodes to run next: a list in place of calls, since a graph may have circles. */
  readonly waiting: Visit[];
}

export interface Visit {
  readonly node: string;
  readonly arrival: Arrival;
  /** The whole record of the job that the node is reached from, for expressions. */
  readonly job?: Members | undefined;
  /** The connection that was taken. */
  readonly wire?: string | undefined;
  /** Condition of an action that is reached by `continue`. */
  readonly condition?: string | undefined;
}

export const rowOf = (draft: Draft, name: string): NodeRow =>
  draft.changed.get(name) ?? draft.known.get(name) ?? EMPTY_NODE;

export function setRow(draft: Draft, name: string, row: Partial<NodeRow>): undefined {
  draft.changed.set(name, { ...rowOf(draft, name), ...row });
}

export const show = (draft: Draft, name: string, members: NodeState): undefined =>
  setRow(draft, name, { shown: { ...rowOf(draft, name).shown, ...members } });

/** Says in the job's milestones that a node runs; in its state the first time counts. */
export function noteStart(draft: Draft, { id, type }: Pick<GraphNode, "id" | "type">): undefined {
  if (rowOf(draft, id).shown.started === undefined) show(draft, id, { started: draft.world.now });
  draft.orders.push({ kind: "meta", node: id, text: `Running workflow node: ${type} (Node #${id})` });
}

export function change(draft: Draft, members: Partial<RunState>): undefined {
  draft.state = { ...draft.state, ...members };
}

/** The flow ends here, and the workflow with a warning, whose reason is in the job's milestones. */
export function fail(draft: Draft, node: string, reason: string): undefined {
  show(draft, node, { error: true });
  draft.orders.push({ kind: "meta", node, text: `WARNING: ${reason} (Node #${node})` });
  change(draft, { hasErrors: true });
}

/** Ends the workflow: nothing more is started, and running jobs are aborted. */
export function abort(draft: Draft, reason: string): undefined {
  if (isClosed(draft)) return;
  takeBackOrders(draft);
  change(draft, { aborted: reason, waits: {}, joins: {}, left: [], asked: [] });
  for (const { id, type } of draft.world.graph.nodes)
    if (type === "controller" && rowOf(draft, id).shown.active) show(draft, id, { active: false });
  draft.waiting.length = 0;
  draft.orders.push({ kind: "abort", reason });
}

/** Withdraws the launches and actions that this step has ordered. */
function takeBackOrders(draft: Draft): undefined {
  for (const order of draft.orders.splice(0)) {
    if (order.kind === "launch" || order.kind === "replay") {
      const { running, jobs } = draft.state;
      change(draft, { running: running - 1, jobs: jobs - 1 });
      setRow(draft, order.node, { launched: rowOf(draft, order.node).launched - 1 });
    } else if (order.kind === "act") {
      endAct(draft, order.number);
      show(draft, order.node, { active: false });
    } else if (order.kind === "meta" || order.kind === "keep" || order.kind === "unkeep") draft.orders.push(order);
  }
}

/** A stand-alone action runs no more. */
export function endAct(draft: Draft, number: number): undefined {
  const { acting, acts } = draft.state;
  change(draft, { acting: acting - 1, acts: acts.filter((each) => each !== number) });
}

export const isClosed = ({ state }: Draft): boolean => state.aborted !== undefined || state.over;

/** The next number of this run. */
export function takeNumber(draft: Draft): number {
  const { next } = draft.state;
  change(draft, { next: next + 1 });
  return next;
}

/** Runs everything behind a node that has no condition on its wires. */
export function visitAll(draft: Draft, from: string, given: Arrival): number {
  const wires = draft.world.graph.from(from);
  // One arrival for all wires: if nodes are left to later steps, it is kept once.
  const arrival = { ...given, launcher: from };
  for (const { id, dest } of wires) draft.waiting.push({ node: dest, arrival, wire: id });
  return wires.length;
}

/** Asks a question that a step cannot answer itself; the answer comes as a happening of its own. */
export function ask(draft: Draft, question: Question): undefined {
  const key = `ask:${takeNumber(draft)}`;
  change(draft, { asked: [...draft.state.asked, key] });
  draft.orders.push({ kind: "keep", key, kept: { question } });
}
