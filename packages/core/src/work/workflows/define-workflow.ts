import type { HostEvent } from "../../kernel/plugins/plugin.ts";
import { OptionError } from "../../lib/process/check-options.ts";
import type { ActionInput } from "../../wire/entries/action-types.ts";
import type { LimitInput } from "../../wire/entries/limit-types.ts";
import type { TypedEvent } from "../events/define-event.ts";
import {
  COMMON_NAMES,
  type CommonMembers,
  checkCommon,
  checkEntries,
  checkIdentity,
  checkNames,
  type Listed,
  recordOf,
} from "../events/in-code.ts";
import { checkEventShape } from "../events/rules/record/event-shape.ts";
import { type DrawnWire, drawGraph, drawingFault, type START } from "./rules/graph/draw-graph.ts";

/** Members of a node on which a job runs. */
interface JobMembers {
  /** Parameters that override the parameters of the event or plugin. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Servers and groups that override the event's. */
  readonly targets?: readonly string[];
  readonly expression?: string;
  readonly algo?: string;
  readonly tags?: readonly string[];
  /** Limits of the jobs of this node: maximum number of concurrent jobs, retries … */
  readonly limits?: readonly Listed<LimitInput>[];
}

/** Runs an event: one of this program, or any other, by its id. */
interface EventPart extends JobMembers {
  readonly event: HostEvent | string;
}

/** Runs a plugin without an event. */
interface PluginPart extends JobMembers {
  readonly plugin: string;
  readonly category?: string;
  readonly label?: string;
  readonly icon?: string;
}

type WithoutCondition<Each> = Each extends unknown ? Omit<Each, "condition"> : never;
interface ActionPart {
  readonly action: WithoutCondition<Listed<ActionInput>>;
}

interface Threshold {
  /** Least percentage of successful jobs with which wires of the condition `continue` fire. Default: 0. */
  readonly continue?: number;
}

/** Controls the flow of the workflow (docs/contract/workflows.md#controllers). */
type ControllerPart =
  | ({ readonly split: string; readonly filter?: string; readonly chunk?: number } & Threshold)
  | ({ readonly repeat: number } & Threshold)
  /** Seconds between two starts. */
  | ({ readonly multiplex: { readonly stagger?: number } } & Threshold)
  | { readonly join: true }
  | { readonly decision: string; readonly abort?: boolean }
  /** Seconds. */
  | { readonly wait: number };

/** A node in the form that `defineWorkflow` accepts. */
export type WorkflowPartDefinition = EventPart | PluginPart | ActionPart | ControllerPart;
type Parts = Readonly<Record<string, WorkflowPartDefinition>>;

/** Condition on a job's result under which an outgoing wire fires. */
type JobCondition =
  | ("complete" | "success" | "error" | "warning" | "critical" | "user" | "abort" | "continue")
  | `tag:${string}`;

type IsJob<Part> = Part extends EventPart | PluginPart ? true : false;
type OutputOf<Part> = Part extends { readonly event: TypedEvent<infer _Input, infer Output> } ? Output : unknown;
type InputOf<Part> = Part extends { readonly event: TypedEvent<infer Input, infer _Output> } ? Input : unknown;

/** True when a function's input type accepts another function's output; a function without an input type accepts everything. */
type Takes<Input, Output> = unknown extends Output
  ? true
  : Readonly<Record<string, unknown>> extends Input
    ? true
    : [Output] extends [Input]
      ? true
      : false;

/**
 * Conditions of a wire between two nodes on which jobs run. If the types do not fit, only `continue` remains, because it carries
 * no data.
 */
type ConditionBetween<From, To> = Takes<InputOf<To>, OutputOf<From>> extends true ? JobCondition : "continue";
type ConditionTo<From, To> = To extends ActionPart ? JobCondition | "start" : ConditionBetween<From, To>;

type Name<Nodes> = Extract<keyof Nodes, string>;

/** Every wire that is allowed: with a condition from a job, without one from a controller or the start. */
export type WorkflowWire<Nodes> =
  | readonly [from: typeof START, to: Name<Nodes>]
  | {
      [From in Name<Nodes>]: {
        [To in Name<Nodes>]: IsJob<Nodes[From]> extends true
          ? readonly [from: From, to: To, condition: ConditionTo<Nodes[From], Nodes[To]>]
          : Nodes[From] extends ActionPart
            ? never
            : readonly [from: From, to: To];
      }[Name<Nodes>];
    }[Name<Nodes>];

/** Argument of `defineWorkflow`; limits, actions and triggers apply to the whole workflow. */
export interface WorkflowDefinition<Nodes extends Parts> extends CommonMembers {
  /** Nodes by name; the name is the id of the graph node. */
  readonly nodes: Nodes;
  /** Source, destination, and the condition if the source is a job; every trigger begins at `start`. */
  readonly wires: readonly WorkflowWire<Nodes>[];
}

/**
 * Declares a workflow in code; give it to `createSignalbox({ events })` together with the events that it runs. It is stored as a
 * graph, and can be shown, started and edited like a workflow that a person drew. Throws `Error` with the API's error text
 * when a member is malformed.
 * @see docs/contract/workflows.md
 *
 * @example
 * const invoices = defineWorkflow({
 *   id: "invoices",
 *   title: "Invoices",
 *   nodes: { each: { split: "data.customers" }, invoice: { event: makeInvoice }, report: { event: sendReport } },
 *   wires: [["start", "each"], ["each", "invoice"], ["invoice", "report", "continue"]],
 * });
 */
export function defineWorkflow<const Nodes extends Parts>(definition: WorkflowDefinition<Nodes>): HostEvent {
  const { id, title, nodes, wires } = Object(definition) as typeof definition;
  const unknown =
    checkNames(definition, NAMES, "{ id, title, nodes, wires }") ?? nodeFault(nodes) ?? checkCommon(definition);
  if (unknown !== undefined) throw new OptionError(`Workflow ${String(id)}: ${unknown}`);
  const base = recordOf(definition);
  const drawing = { nodes, wires: wires as readonly DrawnWire[], triggers: base["triggers"] };
  const record = { ...base, ...drawGraph(drawing), type: "workflow", plugin: "_workflow", targets: [] };
  const fault = checkIdentity(id, title) ?? drawingFault(drawing) ?? checkEventShape(record, { sparse: false });
  if (fault !== undefined) throw new Error(`Workflow ${String(id)}: ${fault}`);
  return { id, title, record };
}

const NAMES = [...COMMON_NAMES, "nodes", "wires"];

/** Member names of all kinds of nodes. */
const OF_NODES = [
  ...(["event", "plugin", "category", "label", "icon", "params", "targets", "expression", "algo", "tags"] as const),
  ...(["limits", "action", "split", "filter", "chunk", "continue", "repeat", "multiplex", "join", "decision"] as const),
  ...(["abort", "wait"] as const),
];

/** A sentence about an unknown member of a node. The compiler does not report these, because the types of nodes are inferred. */
function nodeFault(nodes: Parts): string | undefined {
  for (const [name, node] of Object.entries(nodes)) {
    const { limits, action } = Object(node) as { readonly limits?: unknown; readonly action?: unknown };
    const fault = checkNames(node, OF_NODES, "{ event }") ?? checkEntries({ limits, actions: [action] });
    if (fault !== undefined) return `node ${name}: ${fault}`;
  }
  return undefined;
}
