import type { GraphNode } from "../../graphs/model.ts";
import type { Arrival, Kept, NodeRow, NodeState, Question, RunState } from "../model.ts";
import { EMPTY_NODE } from "../model.ts";
import type { GraphIndex } from "./graph/graph-index.ts";

type Members = Readonly<Record<string, unknown>>;

/** An effect of a step, as data. The service executes it in the transaction that stores the state. */
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
  /** Use the stored job that replaces a run of the node. */
  | {
      readonly kind: "replay";
      readonly node: string;
      readonly job: string;
      readonly activation?: string | undefined;
      /** Distinguishes the runs that the same stored job replaces. */
      readonly number: number;
    }
  /** Run the action of the graph node as a stand-alone action. */
  | { readonly kind: "act"; readonly node: string; readonly condition: string; readonly number: number }
  /** Pieces are stored separately, under `pieceKey`. */
  | { readonly kind: "keep"; readonly key: string; readonly kept: Kept; readonly pieces?: readonly Kept[] }
  | { readonly kind: "unkeep"; readonly key: string }
  /** Check the run again at this time. Unix seconds. */
  | { readonly kind: "wake"; readonly at: number }
  | { readonly kind: "meta"; readonly node: string; readonly text: string }
  /** Abort the running jobs. */
  | { readonly kind: "abort"; readonly reason: string }
  | { readonly kind: "finish"; readonly code: number | string; readonly description: string };

/** Everything that a step reads apart from its state; the same answers produce the same step. */
export interface World {
  readonly graph: GraphIndex;
  /** Unix seconds. */
  readonly now: number;
  /** Most jobs of one workflow. */
  readonly maxJobs: number;
  /** Current triggers of the event. */
  readonly triggers: ReadonlySet<string>;
  /** True when actions of this condition may run; a test run may skip some. */
  allows(condition: string): boolean;
  /** Value of an expression; throws when it cannot be evaluated. */
  evaluate(expression: string, context: Members): unknown;
  /** Members that each expression sees in addition to its context: `workflow`, `params`. */
  readonly shared: Members;
}

/** Rows of graph nodes and wires by name. */
export interface Rows {
  get(name: string): NodeRow | undefined;
}

/** A step in progress: the state so far, and the resulting orders. */
export interface Draft {
  readonly world: World;
  state: RunState;
  /** The rows as they were when the step began. */
  readonly known: Rows;
  /** Rows that the step has changed. */
  readonly changed: Map<string, NodeRow>;
  readonly orders: Order[];
  /** Nodes to run next: a list instead of recursion, because a graph may have cycles. */
  readonly waiting: Visit[];
}

export interface Visit {
  readonly node: string;
  readonly arrival: Arrival;
  /** The whole record of the job from which the node is reached, for expressions. */
  readonly job?: Members | undefined;
  /** The wire that was taken. */
  readonly wire?: string | undefined;
  /** Condition of an action that is reached by a `continue` wire. */
  readonly condition?: string | undefined;
}

export const rowOf = (draft: Draft, name: string): NodeRow =>
  draft.changed.get(name) ?? draft.known.get(name) ?? EMPTY_NODE;

export function setRow(draft: Draft, name: string, row: Partial<NodeRow>): undefined {
  draft.changed.set(name, { ...rowOf(draft, name), ...row });
}

export const show = (draft: Draft, name: string, members: NodeState): undefined =>
  setRow(draft, name, { shown: { ...rowOf(draft, name).shown, ...members } });

/** Adds a milestone that a node runs; its state shows only the first time. */
export function noteStart(draft: Draft, { id, type }: Pick<GraphNode, "id" | "type">): undefined {
  if (rowOf(draft, id).shown.started === undefined) show(draft, id, { started: draft.world.now });
  draft.orders.push({ kind: "meta", node: id, text: `Running workflow node: ${type} (Node #${id})` });
}

export function change(draft: Draft, members: Partial<RunState>): undefined {
  draft.state = { ...draft.state, ...members };
}

/** Stops the flow at this node. The workflow then ends with a warning, whose reason is in the job's milestones. */
export function fail(draft: Draft, node: string, reason: string): undefined {
  show(draft, node, { error: true });
  warn(draft, node, reason);
  change(draft, { hasErrors: true });
}

/** Writes a warning about a node into the log of the workflow. */
export function warn(draft: Draft, node: string, text: string): undefined {
  draft.orders.push({ kind: "meta", node, text: `WARNING: ${text} (Node #${node})` });
}

/** Aborts the workflow: nothing more is started, and running jobs are aborted. */
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

/** Removes a stand-alone action that has ended. */
export function endAct(draft: Draft, number: number): undefined {
  const { acting, acts } = draft.state;
  change(draft, { acting: acting - 1, acts: acts.filter((each) => each !== number) });
}

export const isClosed = ({ state }: Draft): boolean => state.aborted !== undefined || state.over;

/** Takes the next number of this run. */
export function takeNumber(draft: Draft): number {
  const { next } = draft.state;
  change(draft, { next: next + 1 });
  return next;
}

/** Runs all nodes that follow a node whose wires have no condition. */
export function visitAll(draft: Draft, from: string, given: Arrival): number {
  const wires = draft.world.graph.from(from);
  // All wires share one arrival object, so that it is stored only once if nodes are left to later steps.
  const arrival = { ...given, launcher: from };
  for (const { id, dest } of wires) draft.waiting.push({ node: dest, arrival, wire: id });
  return wires.length;
}

/** Asks a question that a step cannot answer itself; the answer arrives as a separate happening. */
export function ask(draft: Draft, question: Question): undefined {
  const key = `ask:${takeNumber(draft)}`;
  change(draft, { asked: [...draft.state.asked, key] });
  draft.orders.push({ kind: "keep", key, kept: { question } });
}
