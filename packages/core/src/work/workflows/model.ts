import type { ControllerNode, Graph } from "../graphs/model.ts";
import type { FinalJob } from "../jobs/model.ts";

type Members = Readonly<Record<string, unknown>>;

/** State of a node, or of a connection, while its workflow runs (docs/contract/workflows.md#state). */
export interface NodeState {
  /** Unix seconds. */
  readonly started?: number;
  readonly completed?: number;
  /** A controller that waits for something, or an action that runs. */
  readonly active?: boolean;
  /** Of a controller: jobs or wires that it waits for, and how many have come. */
  readonly max?: number;
  readonly count?: number;
  readonly error?: boolean;
  /** Of a wait: when it began, Unix seconds. */
  readonly start?: number;
  /** Results of an action. */
  readonly [result: string]: unknown;
}

/** Data and files that pass along a wire. */
export interface Payload {
  readonly data?: Members | undefined;
  readonly files?: readonly unknown[] | undefined;
}

/** The way in which a node is reached: its input, and the job or controller before it. */
export interface Arrival {
  /** Absent: the node gets nothing, as behind `continue`. */
  readonly input?: Payload | undefined;
  /** The job that has ended, for the jobs behind it. */
  readonly parent?: Members | undefined;
  /** The node that the wire comes from, when that is a trigger or a controller. */
  readonly launcher?: string | undefined;
}

/** One use of a controller that starts jobs and counts their ends. */
export interface Activation {
  readonly controller: string;
  /** The node whose jobs it starts. */
  readonly node: string;
  readonly max: number;
  readonly launched: number;
  readonly ended: number;
  readonly succeeded: number;
  /** Unix seconds; staggered starts count from it. */
  readonly begun: number;
  /** Key under which the inputs of the jobs are kept, in pieces. */
  readonly pieces?: string | undefined;
}

/** A fact that a run needs to go on; it is looked up or evaluated between two steps, since that may take a while. */
export type Question =
  | SplitQuestion
  /** The servers of a multiplexer. */
  | { readonly kind: "servers"; readonly controller: string; readonly node: string; readonly arrival: Arrival }
  /** The output of the jobs before a join. */
  | { readonly kind: "gather"; readonly join: string; readonly sources: readonly string[] };

/** The values of a split's expressions. */
export interface SplitQuestion {
  readonly kind: "split";
  readonly controller: string;
  readonly node: string;
  readonly arrival: Arrival;
  /** Context of the expressions, beside the workflow itself. */
  readonly context: Members;
}

/** A node that a step has reached and left to a later one. */
export interface KeptVisit {
  readonly node: string;
  readonly wire?: string | undefined;
  readonly condition?: string | undefined;
  /** Number of the way on which it was reached. */
  readonly way: number;
}

/** Nodes that are left to later steps: so many pieces under a key, and how many of them are done. */
export interface Left {
  readonly key: string;
  readonly pieces: number;
  readonly done: number;
  /** Controllers lead on at once; jobs and actions come after all of them. */
  readonly isFirst: boolean;
}

/** Inputs of an activation's jobs, the arrival behind a wait …: written once, and kept until used. */
export interface Kept {
  readonly arrival?: Arrival;
  /** Of split: replacements for members of the input, one for each job. */
  readonly inputs?: readonly Payload[];
  /** Of multiplex: one server for each job. */
  readonly servers?: readonly string[];
  readonly question?: Question;
  /** Of nodes that are left to later steps: the ways on which they were reached, and a piece of them. */
  readonly ways?: readonly { readonly arrival: Arrival; readonly job?: Members | undefined }[];
  readonly visits?: readonly KeptVisit[];
}

/** Record of a node in a run: the state that is shown, and counts of its jobs. */
export interface NodeRow {
  readonly shown: NodeState;
  /** Jobs of the node, without the ended attempts that another one followed. */
  readonly launched: number;
  readonly ended: number;
}

/** The state of a run, but for its nodes: small, since each step writes it. */
export interface RunState {
  /** Jobs that have not ended. */
  readonly running: number;
  /** All jobs so far, as the bound on jobs of a workflow counts them. */
  readonly jobs: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Stand-alone actions that run. */
  readonly acting: number;
  /** Their numbers; runs that an earlier release has begun have only the count. */
  readonly acts: readonly number[];
  /** A node has reported an error. */
  readonly hasErrors: boolean;
  /** Number of the next activation or action. */
  readonly next: number;
  /** Nodes that were run since something came from outside of the graph. */
  readonly visits: number;
  readonly activations: Readonly<Record<string, Activation>>;
  /** Joins that wait: how often each incoming connection has fired. */
  readonly joins: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Waits that are under way: when they end, Unix seconds. */
  readonly waits: Readonly<Record<string, number>>;
  /** Nodes that are reached and not run yet, the oldest first. */
  readonly left: readonly Left[];
  /** Keys of questions that are not answered yet. */
  readonly asked: readonly string[];
  readonly workflowData: Members;
  /** Members that sub-jobs hand up to the job of the workflow. */
  readonly told: { readonly tags: readonly string[]; readonly table?: unknown; readonly html?: unknown };
  /** Reason of the abort that is under way. */
  readonly aborted?: string | undefined;
  readonly over: boolean;
}

export const EMPTY_RUN: RunState = {
  ...{ running: 0, jobs: 0, succeeded: 0, failed: 0, acting: 0, next: 1, visits: 0 },
  ...{ hasErrors: false, over: false },
  ...{ acts: [], activations: {}, joins: {}, waits: {}, left: [], asked: [] },
  workflowData: {},
  told: { tags: [] },
};

export const EMPTY_NODE: NodeRow = { shown: {}, launched: 0, ended: 0 };

/** A run as it is stored, under the id of the workflow's job. */
export type WorkflowRun = {
  id: string;
  readonly state: RunState;
  /** Grows with each step: rows in memory are valid only for the same revision. */
  readonly rev: number;
  /** Result of the workflow, once it is over. */
  readonly result?: { readonly code: number | string; readonly description: string } | undefined;
  /** Workflows above it. */
  readonly depth: number;
};

/** The id is the job's, a slash, and the id of the node or connection. */
export type WorkflowNode = { id: string; readonly run: string; readonly name: string } & NodeRow;

/** The id is the job's, a slash, and the id of the activation or wait. */
export type WorkflowKept = { id: string; readonly run: string; readonly kept: Kept };

/** A sub-job that has ended, as its workflow lists it (docs/contract/workflows.md#when-a-sub-job-ends). */
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

/** Written once, with the final record of the sub-job; the id is the run's, a slash, the node's, a slash, the sub-job's. */
export type WorkflowPart = {
  id: string;
  readonly run: string;
  readonly node: string;
  /** Unix seconds. */
  readonly completed: number;
  readonly stub: Stub;
  /** Output of the sub-job; a retried one has none. */
  readonly data?: Members | undefined;
};

/** An end that its workflow has not taken in yet. */
export type WorkflowEnd = {
  id: string;
  readonly run: string;
  readonly at: number;
  readonly end: PartEnd;
  /** The whole job, of one that leaves no record: expressions behind it may ask for anything. */
  readonly job?: FinalJob;
};

/** The end of a sub-job, as its workflow takes it in. */
export interface PartEnd {
  readonly id: string;
  readonly node: string;
  readonly activation?: string | undefined;
  readonly succeeded: boolean;
  readonly retried: boolean;
  readonly conditions: readonly string[];
  /** Node to go on with in place of the wires. */
  readonly redirect?: string | undefined;
  readonly workflowData?: Members | undefined;
  readonly tags: readonly string[];
  readonly table?: unknown;
  readonly html?: unknown;
  /** Results of the actions that were attached to the node. */
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
  /** Targets of each job, in place of the targets of its node. */
  readonly targets: readonly string[];
  readonly now: number | undefined;
  /** Members that sub-jobs have from it: test, test_actions, invisible … */
  readonly inherited: Members;
  /** Conditions that a test run lets actions have; undefined = all. */
  readonly testConditions: readonly string[] | undefined;
}

export type ControllerData = ControllerNode["data"];
