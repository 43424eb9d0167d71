import type { Clock } from "../../ports/clock.ts";
import type { CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import { everything, type SearchNode } from "../../search/ast.ts";
import { deleteFound } from "../searches/delete-found.ts";
import type { Snapshot, Transact } from "../transactions/unit-of-work.ts";
import { createBreath } from "./breath.ts";

/** Records removed in one transaction: an in-process storage blocks the event loop while it runs. */
const BATCH = 50;

export interface KeepNewest<T extends StoredRecord> {
  readonly collection: CollectionDefinition<T>;
  /** Column with the age of a record. */
  readonly sortBy: string;
  /** Which records may be removed; default: all. */
  readonly where?: SearchNode;
  /** Number of records to keep, read again with each count. */
  readonly kept: () => number;
  readonly signal: AbortSignal;
}

/** Fewest records removed between two counts; otherwise half of the surplus. */
const MIN_COUNTED = 1000;

/**
 * Removes the oldest records beyond a number, in small steps. It counts records instead of skipping the newest: skipping 100,000
 * records in the order of a column and the id took SQLite 80 ms, and read the document of each of them. It removes half of the
 * surplus before it counts again: a million records take ten counts instead of a thousand, and two nodes that do this at once
 * remove no more than the surplus, except for the last 1,000 records.
 */
export async function keepNewest<T extends StoredRecord>(
  { clock, snapshot, transact }: { readonly clock: Clock; readonly snapshot: Snapshot; readonly transact: Transact },
  { collection, sortBy, where = everything, kept, signal }: KeepNewest<T>,
): Promise<void> {
  const breath = createBreath(clock, signal);
  const surplus = async (): Promise<number> =>
    (await snapshot((tx) => tx.collection(collection).find(everything, { limit: 0 }))).total - kept();
  const removeOldest = (most: number): Promise<number> =>
    transact(({ tx }) => deleteFound(tx.collection(collection), where, { sortBy, limit: most, uncounted: true }));
  for (let left = await surplus(); left > 0 && !signal.aborted; left = await surplus())
    for (let counted = Math.min(left, Math.max(MIN_COUNTED, Math.ceil(left / 2))); counted > 0 && !signal.aborted; ) {
      const most = Math.min(BATCH, counted);
      if ((await removeOldest(most)) < most) return;
      counted -= most;
      await breath();
    }
}
