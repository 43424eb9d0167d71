import type { ControllerNode, Graph } from "../graphs/model.ts";
import type { FinalJob } from "../jobs/model.ts";

type Members = Readonly<Record<string, unknown>>;

/** State of a graph node or wire while its workflow runs (docs/contract/workflows.md#state). */
export interface NodeState {
  /** Unix seconds. */
  readonly started?: number;
  readonly completed?: number;
  /** True for a controller that is waiting, and for an action that is running. */
  readonly active?: boolean;
  /** For a controller: how many jobs or wires it waits for, and how many have arrived. */
  readonly max?: number;
  readonly count?: number;
  readonly error?: boolean;
  /** For a wait: when it began, Unix seconds. */
  readonly start?: number;
  /** Results of an action. */
  readonly [result: string]: unknown;
}

/** Data and files that pass along a wire. */
export interface Payload {
  readonly data?: Members | undefined;
  readonly files?: readonly unknown[] | undefined;
}

/** How a node is reached: its input, and the job or controller before it. */
export interface Arrival {
  /** Absent: the node gets no input, as after `continue`. */
  readonly input?: Payload | undefined;
  /** The job that has ended, as the parent of the jobs that follow. */
  readonly parent?: Members | undefined;
  /** The node from which the wire comes, if that is a trigger or a controller. */
  readonly launcher?: string | undefined;
}

/** One use of a controller that starts jobs and counts how many have ended. */
export interface Activation {
  readonly controller: string;
  /** The node whose jobs it starts. */
  readonly node: string;
  readonly max: number;
  readonly launched: number;
  readonly ended: number;
  readonly succeeded: number;
  /** Unix seconds; the times of staggered starts are relative to it. */
  readonly begun: number;
  /** Key under which the inputs of the jobs are stored, in pieces. */
  readonly pieces?: string | undefined;
}

/**
 * A question that a run must have answered before it can continue. It is answered between two steps, because that may take a
 * while.
 */
export type Question =
  | SplitQuestion
  /** Asks for the servers of a multiplexer. */
  | { readonly kind: "servers"; readonly controller: string; readonly node: string; readonly arrival: Arrival }
  /** Asks for the output of the jobs before a join. */
  | { readonly kind: "gather"; readonly join: string; readonly sources: readonly string[] };

/** Asks for the values of a split's expressions. */
export interface SplitQuestion {
  readonly kind: "split";
  readonly controller: string;
  readonly node: string;
  readonly arrival: Arrival;
  /** Context of the expressions, in addition to the workflow itself. */
  readonly context: Members;
}

/** A node that a step has reached but left to a later step. */
export interface KeptVisit {
  readonly node: string;
  readonly wire?: string | undefined;
  readonly condition?: string | undefined;
  /** Index in `ways` of how it was reached. */
  readonly way: number;
}

/** Nodes that are left to later steps: the key and number of their pieces, and how many of those are done. */
export interface Left {
  readonly key: string;
  readonly pieces: number;
  readonly done: number;
  /** Controllers are run at once; jobs and actions come after all controllers. */
  readonly isFirst: boolean;
}

/** Inputs of an activation's jobs, the arrival of a wait, and similar data: written once, and stored until used. */
export interface Kept {
  readonly arrival?: Arrival;
  /** For split: replacements for members of the input, one per job. */
  readonly inputs?: readonly Payload[];
  /** For multiplex: one server per job. */
  readonly servers?: readonly string[];
  readonly question?: Question;
  /** For nodes that are left to later steps: how they were reached, and one piece of them. */
  readonly ways?: readonly { readonly arrival: Arrival; readonly job?: Members | undefined }[];
  readonly visits?: readonly KeptVisit[];
}

/** Row of a graph node in a run: the displayed state, and the counts of its jobs. */
export interface NodeRow {
  readonly shown: NodeState;
  /** Jobs of the node, without ended attempts that were retried. */
  readonly launched: number;
  readonly ended: number;
}

/** The state of a run without its nodes. It is small, because each step writes it. */
export interface RunState {
  /** Sub-jobs that have not ended. */
  readonly running: number;
  /** All sub-jobs so far, for the bound on the jobs of a workflow. */
  readonly jobs: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Stand-alone actions that are running. */
  readonly acting: number;
  /** Numbers of these actions; runs that an earlier release began have only the count. */
  readonly acts: readonly number[];
  /** A node has reported an error. */
  readonly hasErrors: boolean;
  /** Number of the next activation or action. */
  readonly next: number;
  /** Nodes that have run since the last happening from outside of the graph. */
  readonly visits: number;
  readonly activations: Readonly<Record<string, Activation>>;
  /** Waiting joins: how often each incoming wire has fired. */
  readonly joins: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Waits in progress: when they end, Unix seconds. */
  readonly waits: Readonly<Record<string, number>>;
  /** Nodes that have been reached but not run, oldest first. */
  readonly left: readonly Left[];
  /** Keys of open questions. */
  readonly asked: readonly string[];
  readonly workflowData: Members;
  /** Members that sub-jobs pass up to the job of the workflow. */
  readonly told: { readonly tags: readonly string[]; readonly table?: unknown; readonly html?: unknown };
  /** Reason of the abort in progress. */
  readonly aborted?: string | undefined;
  readonly over: boolean;
}

export const EMPTY_RUN: RunState = {
  running: 0,
  jobs: 0,
  succeeded: 0,
  failed: 0,
  acting: 0,
  next: 1,
  visits: 0,
  hasErrors: false,
  over: false,
  acts: [],
  activations: {},
  joins: {},
  waits: {},
  left: [],
  asked: [],
  workflowData: {},
  told: { tags: [] },
};

export const EMPTY_NODE: NodeRow = { shown: {}, launched: 0, ended: 0 };

/** A run in its stored form; its id is the id of the workflow's job. */
export type WorkflowRun = {
  id: string;
  readonly state: RunState;
  /** Incremented by each step: rows in memory are valid only for the same revision. */
  readonly rev: number;
  /** Result of the workflow once the run is over. */
  readonly result?: { readonly code: number | string; readonly description: string } | undefined;
  /** Number of workflows above it. */
  readonly depth: number;
};

/** The id consists of the id of the workflow's job, a slash, and the id of the graph node or wire. */
export type WorkflowNode = { id: string; readonly run: string; readonly name: string } & NodeRow;

/** The id consists of the id of the workflow's job, a slash, and the id of the activation or wait. */
export type WorkflowKept = { id: string; readonly run: string; readonly kept: Kept };

/** An ended sub-job as its workflow lists it (docs/contract/workflows.md#when-a-sub-job-ends). */
export interface Stub {
  readonly id: string;
  readonly code: unknown;
  readonly description: string;
  readonly server?: string | undefined;
  readonly completed: number;
  readonly elapsed: number;
  readonly tags: readonly string[];
  readonly files: readonly unknown[];
  readonly retried?: boolean;
  readonly replay?: boolean;
  readonly label?: unknown;
  readonly icon?: unknown;
  readonly deleted?: boolean;
}

/**
 * Written once, together with the final record of the sub-job. The id consists of the ids of run, node and sub-job, separated by
 * slashes.
 */
export type WorkflowPart = {
  id: string;
  readonly run: string;
  readonly node: string;
  /** Unix seconds. */
  readonly completed: number;
  readonly stub: Stub;
  /** Output of the sub-job; a retried attempt has none. */
  readonly data?: Members | undefined;
};

/** The end of a sub-job that its workflow has not processed yet. */
export type WorkflowEnd = {
  id: string;
  readonly run: string;
  readonly at: number;
  readonly end: PartEnd;
  /** The whole job if it leaves no record, because expressions after it may read any member. */
  readonly job?: FinalJob;
};

/** The end of a sub-job in the form that its workflow processes. */
export interface PartEnd {
  readonly id: string;
  readonly node: string;
  readonly activation?: string | undefined;
  readonly succeeded: boolean;
  readonly retried: boolean;
  readonly conditions: readonly string[];
  /** Node that follows instead of the nodes at the wires. */
  readonly redirect?: string | undefined;
  readonly workflowData?: Members | undefined;
  readonly tags: readonly string[];
  readonly table?: unknown;
  readonly html?: unknown;
  /** Results of the actions attached to the node. */
  readonly actions: readonly Members[];
  readonly parent: Members;
}

/** Facts from the workflow's job that its run needs; they do not change while it runs. */
export interface RunFacts {
  readonly job: string;
  readonly event: string;
  readonly category: string;
  readonly username: string | undefined;
  readonly graph: Graph;
  readonly params: Members;
  /** Targets of each job, which override its node's. */
  readonly targets: readonly string[];
  readonly now: number | undefined;
  /** Members that sub-jobs inherit: test, test_actions, invisible … */
  readonly inherited: Members;
  /** Conditions whose actions a test run executes; undefined = all. */
  readonly testConditions: readonly string[] | undefined;
}

export type ControllerData = ControllerNode["data"];
