/** The graph of a workflow, as events store it and jobs run it (docs/contract/workflows.md#graph). */
import type { Action, Limit } from "../../wire/entries/actions-and-limits.ts";

/** Data of every node on which a job runs. */
interface JobData {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly targets?: readonly string[];
  readonly expression?: string | null;
  readonly algo?: string;
  readonly tags?: readonly string[];
  /** Id of an ended job that replaces a run of the node. */
  readonly replay?: string;
}

interface Placed {
  readonly id: string;
  readonly x?: number;
  readonly y?: number;
}

/** A node with the id of one of the event's triggers. */
export interface TriggerNode extends Placed {
  readonly type: "trigger";
  readonly data?: Readonly<Record<string, unknown>>;
}
export interface EventNode extends Placed {
  readonly type: "event";
  readonly data: JobData & { readonly event: string };
}
export interface PluginNode extends Placed {
  readonly type: "job";
  readonly data: JobData & {
    readonly plugin: string;
    readonly category?: string;
    readonly label?: string;
    readonly icon?: string;
  };
}
/** An action without its condition, which is a member of the wire. */
export interface ActionNode extends Placed {
  readonly type: "action";
  readonly data: Omit<Action, "condition"> & Readonly<Record<string, unknown>>;
}
export interface LimitNode extends Placed {
  readonly type: "limit";
  readonly data: Limit;
}

export const CONTROLLERS = ["multiplex", "repeat", "split", "join", "decision", "wait"] as const;
export type ControllerKind = (typeof CONTROLLERS)[number];
export interface ControllerNode extends Placed {
  readonly type: "controller";
  readonly data: {
    readonly controller: ControllerKind;
    /** For multiplex: seconds between two starts. */
    readonly stagger?: number;
    /** For multiplex, repeat and split: least percentage of successful jobs with which wires of the condition `continue` fire. */
    readonly continue?: number;
    readonly repeat?: number;
    /** Expressions, for split and decision. */
    readonly split?: string;
    readonly filter?: string;
    readonly chunk?: number;
    readonly decision?: string;
    /** For decision: a false result aborts the workflow. */
    readonly abort?: boolean;
    /** Seconds. */
    readonly wait?: number;
    readonly title?: string;
    readonly label?: string;
    readonly icon?: string;
  };
}
export interface NoteNode extends Placed {
  readonly type: "note";
  readonly data: { readonly body?: string; readonly wide?: boolean; readonly show?: boolean };
}

export type GraphNode = TriggerNode | EventNode | PluginNode | ActionNode | LimitNode | ControllerNode | NoteNode;
export const NODE_TYPES: readonly GraphNode["type"][] = [
  ...(["trigger", "event", "job", "action", "limit", "controller", "note"] as const),
];

export interface Connection {
  readonly id: string;
  /** Ids of nodes. */
  readonly source: string;
  readonly dest: string;
  /** Condition of a job on which the wire fires; wires of triggers and controllers need none. */
  readonly condition?: string;
}

export interface Graph {
  /** Node with which a run begins, instead of a trigger. */
  readonly start?: string;
  readonly nodes: readonly GraphNode[];
  readonly connections: readonly Connection[];
}
