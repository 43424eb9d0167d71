/** Records whose every change is tracked: their notes name their revision. */
export type Kind = "tag" | "event";

/** The expected state of a record, according to the answers that callers got. */
interface Entry {
  /** Revision of the last acknowledged change. */
  readonly acknowledged: number;
  /** A change under way whose answer is not known. */
  readonly inFlight: "update" | "delete" | "create" | undefined;
  readonly deleted: boolean;
}

export interface Ledger {
  readonly entries: Record<Kind, Map<string, Entry>>;
  /** Keys that were requested, by title; the value comes from the answer, if there was one. */
  readonly keys: Map<string, { readonly id: string; readonly plain: string } | undefined>;
  /** Accepted jobs; the value is the code they ended with, once seen. */
  readonly jobs: Map<string, string | undefined>;
  acknowledgedWrites: number;
}

export const createLedger = (): Ledger => ({
  entries: { tag: new Map(), event: new Map() },
  keys: new Map(),
  jobs: new Map(),
  acknowledgedWrites: 0,
});

export interface Stored {
  readonly id: string;
  readonly revision?: number;
  readonly notes?: string;
}

/**
 * Compares stored records with acknowledged changes. A change without an answer may or may not be stored, but never half: the
 * notes of a record always name its revision. Afterwards the ledger adopts the stored state.
 */
export function compareRecords(ledger: Ledger, kind: Kind, stored: readonly Stored[]): string[] {
  const entries = ledger.entries[kind];
  const byId = new Map(stored.map((record) => [record.id, record]));
  const faults: string[] = [];
  for (const [id, entry] of entries) {
    const record = byId.get(id);
    const fault = faultOf(entry, record);
    if (fault) faults.push(`${kind} ${id}: ${fault}`);
    entries.set(id, { acknowledged: record?.revision ?? entry.acknowledged, inFlight: undefined, deleted: !record });
  }
  return faults;
}

function faultOf(entry: Entry, record: Stored | undefined): string | undefined {
  if (entry.deleted) return record ? "deleted but still there" : undefined;
  if (!record) return entry.acknowledged > 0 && entry.inFlight !== "delete" ? "acknowledged but lost" : undefined;
  const revision = record.revision ?? 0;
  const asked = entry.acknowledged + (entry.inFlight === "create" || entry.inFlight === "update" ? 1 : 0);
  if (revision < entry.acknowledged) return `acknowledged revision ${entry.acknowledged}, stored ${revision}`;
  if (revision > asked) return `stored revision ${revision} was never asked for`;
  return record.notes === `revision ${revision}` ? undefined : `half-written: revision ${revision}, "${record.notes}"`;
}

export interface StoredKey {
  readonly id: string;
  readonly title: string;
  readonly mask?: string;
}

/** Every key whose plain text a caller got is stored completely and once; a key without an answer at most once. */
export function compareKeys(ledger: Ledger, stored: readonly StoredKey[]): string[] {
  const faults: string[] = [];
  for (const [title, known] of ledger.keys) {
    const found = stored.filter((key) => key.title === title);
    if (found.length > 1) faults.push(`key ${title}: stored ${found.length} times`);
    if (!known) continue;
    const [key] = found;
    const { id, plain } = known;
    if (key?.id !== id) faults.push(`key ${title}: acknowledged but lost`);
    else if (key.mask !== `${plain.slice(0, 4)}********${plain.slice(-4)}`)
      faults.push(`key ${title}: half-written: mask "${key.mask}"`);
  }
  return faults;
}
