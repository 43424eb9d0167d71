import type { Actor, QueryContext } from "../../kernel/calls/context.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";

/** A workflow, as far as its graph goes: a stored event, or one that is written or launched. */
export interface Workflow {
  readonly id: string;
  readonly type?: string | null | undefined;
  readonly workflow?: unknown;
}

export type GraphContext = Pick<QueryContext, "actor" | "tx">;

/** A graph that a caller sent, with the stored values of locked parameters put back. */
export interface KeptGraph {
  readonly graph: unknown;
  /** Members that were sent and are not used, as sentences. */
  readonly warnings: readonly string[];
}

/** Checks of the graphs of workflows; of events that are none, all of them pass. */
export interface Graphs {
  /**
   * Throws `InputError` with the contract's text for the first fault of a graph (docs/contract/workflows.md#faults).
   * Nodes that are `stored` in the same way pass: what they name may be gone by now.
   */
  check(tx: ReadTx, workflow: Workflow, stored: Workflow | undefined): Promise<void>;
  /**
   * Throws when the caller may not use the events or plugins of nodes (docs/contract/workflows.md#access). Events that
   * nodes of `stored` name may be gone.
   */
  requireAccess(context: GraphContext, workflow: Workflow, stored?: Workflow): Promise<void>;
  /**
   * The graph that a caller sent with the locked parameters of its nodes as the stored one has them, or preset
   * (docs/contract/workflows.md#locked-parameters). Throws `InputError` when a required one has no value.
   */
  keepLocked(context: GraphContext, sent: unknown, stored: Workflow | undefined): Promise<KeptGraph>;
  /** Deleting categories waits until the transaction ends, or it is seen here that they are gone. */
  lockCategories(tx: WriteTx, own: string, workflow: Workflow): Promise<void>;
}

/** The facts about replayed jobs that the domain of jobs knows. */
export interface ReplayedJobs {
  /** True when the actor may see all of these jobs; deleted ones do not count. */
  areVisible(tx: ReadTx, actor: Actor, ids: readonly string[]): Promise<boolean>;
}
