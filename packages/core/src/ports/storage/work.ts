/**
 * Queued work: what must run after a commit, at least once (mail, hooks, messages, retries). `WriteTx.enqueue` writes items,
 * which become visible with its commit.
 */
export interface WorkItem {
  readonly id: string;
  /** Names the handler: "web_hooks.send". */
  readonly kind: string;
  /** Debounce key; null when every item counts. */
  readonly key: string | null;
  readonly payload: unknown;
  /** Number of earlier claims, this one not counted. */
  readonly attempts: number;
  /** Fencing token of this claim: a later claim of the same item has another one. */
  readonly token: string;
}

/** Options of a claim of queued work. */
export interface ClaimOptions {
  /** The claiming node; items pinned to other nodes are left alone. */
  readonly node: string;
  readonly kinds: readonly string[];
  readonly limit: number;
  /** Unix seconds. */
  readonly now: number;
  /** The time by which leases are granted and judged, where nodes share a clock that is not their own; absent = `now`. */
  readonly leaseNow?: number;
  /** Others may take the claim after this many seconds unless it is renewed. */
  readonly leaseSec: number;
  /**
   * True when only time has passed since the last claim: such a claim mostly finds nothing, so a storage may check with a read
   * first.
   */
  readonly look?: boolean;
}

/** Queued work that outlives the process; each item is claimed by one engine at a time. */
export interface WorkQueue {
  /** Takes due items, oldest due first; one item is never held under two live claims. */
  claim(options: ClaimOptions): Promise<WorkItem[]>;
  /** Extends live claims to `until` (Unix seconds); returns the tokens that are still valid. */
  renew(items: readonly WorkItem[], until: number): Promise<string[]>;
  /** Removes finished items; a stale token removes nothing. */
  complete(items: readonly WorkItem[]): Promise<void>;
  /**
   * Returns an item to the queue, due again at `runAt`; `runAt` null keeps it for inspection without running it again. `now` is
   * the time of the clock by which `runAt` was chosen.
   */
  release(item: WorkItem, outcome: { runAt: number | null; error: string; now: number }): Promise<void>;
  /**
   * Corrects for a clock that was ahead: an item queued later than `now` (Unix seconds) with a delay of at most `most` seconds
   * becomes due that same delay after `now`.
   */
  rewind(now: number, most: number): Promise<void>;
  /**
   * Releases the claims of a node that has ended, and lets every node run the items pinned to it; absent = of all nodes, for a
   * store of one process.
   */
  free(node?: string): Promise<void>;
  /** Calls `wake` soon after this process has committed items that are due. Only a hint: polling finds all of them. */
  onEnqueued(wake: () => void): Disposable;
  /** Items waiting or claimed, and items kept after their last failure. */
  stats(): Promise<{ open: number; failed: number }>;
  /** True = the queue holds no committed item at this moment; false = it may hold one. Absent = always false. */
  isKnownEmpty?(): boolean;
}

/** Options of queued work: its due time, and the item that it replaces. */
export interface EnqueueOptions {
  /** An item of the same kind and key that is still waiting is replaced (debounce). */
  readonly key?: string;
  /** Unix seconds; absent = now. */
  readonly runAt?: number;
  /** The only node that may run it; absent = any. */
  readonly node?: string;
}
