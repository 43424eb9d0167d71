/** What a tag must look like according to the answers that callers got. */
interface Entry {
  /** Revision of the last acknowledged change. */
  acknowledged: number;
  /** A change is on its way whose answer is not known. */
  inFlight: "update" | "delete" | "create" | undefined;
  deleted: boolean;
}

export interface Ledger {
  readonly entries: Map<string, Entry>;
  readonly jobs: Set<string>;
  acknowledgedWrites: number;
}

export const createLedger = (): Ledger => ({ entries: new Map(), jobs: new Set(), acknowledgedWrites: 0 });

export interface Stored {
  readonly id: string;
  readonly revision?: number;
  readonly notes?: string;
}

/**
 * Compares what is stored with what was acknowledged. A change without an answer may or may not be there, but never
 * half: the notes of a tag always name its revision.
 */
export function findFaults(ledger: Ledger, stored: readonly Stored[]): string[] {
  const byId = new Map(stored.map((tag) => [tag.id, tag]));
  const faults: string[] = [];
  for (const [id, entry] of ledger.entries) {
    const fault = check(entry, byId.get(id));
    if (fault) faults.push(`${id}: ${fault}`);
  }
  return faults;
}

function check(entry: Entry, tag: Stored | undefined): string | undefined {
  if (entry.deleted) return tag ? "deleted but still there" : undefined;
  if (!tag) return entry.acknowledged > 0 && entry.inFlight !== "delete" ? "acknowledged but lost" : undefined;
  const revision = tag.revision ?? 0;
  if (revision < entry.acknowledged) return `acknowledged revision ${entry.acknowledged}, stored ${revision}`;
  if (revision > entry.acknowledged + (entry.inFlight ? 1 : 0))
    return `stored revision ${revision} was never asked for`;
  return tag.notes === `revision ${revision}` ? undefined : `half-written: revision ${revision} with "${tag.notes}"`;
}

/** After a restart the truth is what is stored: unknown outcomes are settled by it. */
export function settle(ledger: Ledger, stored: readonly Stored[]): void {
  const byId = new Map(stored.map((tag) => [tag.id, tag]));
  for (const [id, entry] of ledger.entries) {
    const tag = byId.get(id);
    if (tag) ledger.entries.set(id, { acknowledged: tag.revision ?? 0, inFlight: undefined, deleted: false });
    else ledger.entries.set(id, { ...entry, inFlight: undefined, deleted: true });
  }
}
