import type { Actor, QueryContext } from "../../kernel/calls/context.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";

/** The members of a workflow that its graph needs. The event may be stored, or about to be written or launched. */
export interface Workflow {
  readonly id: string;
  readonly type?: string | null | undefined;
  readonly workflow?: unknown;
}

export type GraphContext = Pick<QueryContext, "actor" | "tx">;

/** A graph that a caller sent, with the stored values of its locked parameters. */
export interface KeptGraph {
  readonly graph: unknown;
  /** Sentences about members that were sent but are not used. */
  readonly warnings: readonly string[];
}

/** Checks the graphs of workflows; events that are not workflows pass all checks. */
export interface Graphs {
  /**
   * Throws `InputError` with the contract's text for the first fault of a graph (docs/contract/workflows.md#faults). Nodes that
   * equal one in `stored` pass: what they name may no longer exist.
   */
  check(tx: ReadTx, workflow: Workflow, stored: Workflow | undefined): Promise<void>;
  /**
   * Throws when the caller may not use the events or plugins of nodes (docs/contract/workflows.md#access). Events that nodes of
   * `stored` name may no longer exist.
   */
  requireAccess(context: GraphContext, workflow: Workflow, stored?: Workflow): Promise<void>;
  /**
   * The graph that a caller sent, in which locked parameters of nodes keep their stored or preset value
   * (docs/contract/workflows.md#locked-parameters). Throws `InputError` when a required parameter has no value.
   */
  keepLocked(context: GraphContext, sent: unknown, stored: Workflow | undefined): Promise<KeptGraph>;
  /** Makes the deletion of these categories wait until the transaction ends; later reads see deletions that came first. */
  lockCategories(tx: WriteTx, own: string, workflow: Workflow): Promise<void>;
}

/** Facts about replayed jobs, which the domain of jobs provides. */
export interface ReplayedJobs {
  /** True when the actor may see all of these jobs; deleted jobs do not count. */
  areVisible(tx: ReadTx, actor: Actor, ids: readonly string[]): Promise<boolean>;
}
