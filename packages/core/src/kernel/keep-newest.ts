import type { Clock } from "../ports/clock.ts";
import type { CollectionDefinition, StoredRecord } from "../ports/collection.ts";
import { everything, type SearchNode } from "../search/ast.ts";
import { createBreath } from "./breath.ts";
import type { Snapshot, Transact } from "./unit-of-work.ts";

/** Records of one transaction: a storage in this process is away for as long as it takes. */
const BATCH = 50;

export interface KeepNewest<T extends StoredRecord> {
  readonly collection: CollectionDefinition<T>;
  /** Column of the age. */
  readonly sortBy: string;
  /** What may go; default: everything. */
  readonly where?: SearchNode;
  /** Asked anew before each step. */
  readonly kept: () => number;
  readonly signal: AbortSignal;
}

/** Removes the oldest records beyond a number, in small steps. Of two that run at once neither removes too many. */
export async function keepNewest<T extends StoredRecord>(
  { clock, snapshot, transact }: { readonly clock: Clock; readonly snapshot: Snapshot; readonly transact: Transact },
  { collection, sortBy, where = everything, kept, signal }: KeepNewest<T>,
): Promise<void> {
  const breath = createBreath(clock, signal);
  const beyond = () => ({ sortBy, descending: true, offset: kept(), limit: BATCH, uncounted: true });
  // On most days there is nothing to remove, and no reason to open a write.
  let surplus = await snapshot(async (tx) => (await tx.collection(collection).find(everything, beyond())).rows.length);
  while (surplus > 0 && !signal.aborted) {
    surplus = await transact(async ({ tx }) => {
      const records = tx.collection(collection);
      // Counting all of them would take longer than removing these.
      const { rows } = await records.find(everything, beyond());
      if (rows.length === 0) return 0;
      const oldest = await records.find(where, { sortBy, limit: rows.length, uncounted: true });
      await records.deleteMany(oldest.rows.map(({ id }) => id));
      return oldest.rows.length === BATCH ? BATCH : 0;
    });
    await breath();
  }
}
