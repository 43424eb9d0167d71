import type { ClaimOptions, EnqueueOptions, WorkItem, WorkQueue } from "../../ports/storage/work.ts";
import type { Draft } from "./tables.ts";

interface WorkRow {
  readonly id: string;
  /** Order of items due at the same time; kept when a waiting item is replaced. */
  readonly seq: number;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: string;
  /** Null: failed permanently, kept for inspection. */
  readonly runAt: number | null;
  /** The time on the clock that chose `runAt`. */
  readonly queuedAt: number;
  readonly attempts: number;
  readonly node: string | null;
  readonly claimedBy: string | null;
  readonly claimedUntil: number | null;
  readonly error: string | null;
}

export type WorkTable = Draft<WorkRow>;
/** Runs a change of the queue as its own transaction. */
export type WorkTransaction = <R>(change: (rows: WorkTable) => R) => Promise<R>;

interface NewItem {
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly payload: unknown;
  readonly now: number;
  readonly options: EnqueueOptions;
}

export function enqueueRow(rows: WorkTable, { id, seq, kind, payload, now, options }: NewItem): void {
  const { key = null } = options;
  const replaced = key === null ? undefined : findWaiting(rows, kind, key);
  if (replaced) rows.delete(replaced.id);
  rows.set(id, {
    id,
    seq: replaced?.seq ?? seq,
    kind,
    key,
    payload: JSON.stringify(payload ?? null),
    runAt: options.runAt ?? now,
    queuedAt: now,
    attempts: 0,
    node: options.node ?? null,
    claimedBy: null,
    claimedUntil: null,
    error: null,
  });
}

function findWaiting(rows: WorkTable, kind: string, key: string): WorkRow | undefined {
  for (const row of rows.values()) if (row.key === key && row.kind === kind && row.runAt !== null) return row;
  return undefined;
}

const tokenOf = (row: WorkRow): string => `${row.id}.${row.attempts}`;

function claimRows(rows: WorkTable, { leaseNow, ...options }: ClaimOptions): WorkItem[] {
  const { node, kinds, limit, now, leaseSec } = options;
  const leases = leaseNow ?? now;
  const due = [...rows.values()]
    .filter((row) => row.runAt !== null && row.runAt <= now && kinds.includes(row.kind))
    .filter((row) => row.node === null || row.node === node)
    .filter((row) => row.claimedUntil === null || row.claimedUntil <= leases)
    .sort((a, b) => (a.runAt ?? 0) - (b.runAt ?? 0) || a.seq - b.seq)
    .slice(0, Math.max(0, limit));
  return due.map((row) => {
    const claimed = { ...row, attempts: row.attempts + 1, claimedBy: node, claimedUntil: leases + leaseSec };
    rows.set(row.id, claimed);
    const { id, kind, key, attempts, payload } = row;
    return { id, kind, key, attempts, payload: JSON.parse(payload), token: tokenOf(claimed) };
  });
}

function rewindRows(rows: WorkTable, now: number, most: number): void {
  for (const row of [...rows.values()]) {
    const wait = Math.max(0, (row.runAt ?? Number.POSITIVE_INFINITY) - row.queuedAt);
    if (row.queuedAt > now && wait <= most) rows.set(row.id, { ...row, queuedAt: now, runAt: now + wait });
  }
}

function freeRows(rows: WorkTable, dead: string | undefined): void {
  const isDead = (node: string | null): boolean => dead === undefined || node === dead;
  for (const row of [...rows.values()]) {
    const claim = isDead(row.claimedBy) ? { claimedBy: null, claimedUntil: null } : {};
    rows.set(row.id, { ...row, ...claim, node: isDead(row.node) ? null : row.node });
  }
}

export function memoryWork(transact: WorkTransaction, wakers: Set<() => void>): WorkQueue {
  const held = (rows: WorkTable, item: WorkItem): WorkRow | undefined => {
    const row = rows.get(item.id);
    return row && row.claimedUntil !== null && tokenOf(row) === item.token ? row : undefined;
  };
  return {
    claim: (options) => transact((rows) => claimRows(rows, options)),
    renew: (items, until) =>
      transact((rows) =>
        items.flatMap((item) => {
          const row = held(rows, item);
          if (row) rows.set(row.id, { ...row, claimedUntil: until });
          return row ? [item.token] : [];
        }),
      ),
    complete: (items) =>
      transact((rows) => {
        for (const item of items) if (held(rows, item)) rows.delete(item.id);
      }),
    release: (item, { runAt, error, now }) =>
      transact((rows) => {
        const row = held(rows, item);
        if (row) rows.set(row.id, { ...row, runAt, queuedAt: now, error, claimedUntil: null });
      }),
    rewind: (now, most) => transact((rows) => rewindRows(rows, now, most)),
    free: (node) => transact((rows) => freeRows(rows, node)),
    onEnqueued(wake) {
      // A separate wrapper, so that one function subscribed twice is two subscriptions.
      const listener = (): void => wake();
      wakers.add(listener);
      return { [Symbol.dispose]: () => void wakers.delete(listener) };
    },
    stats: () =>
      transact((rows) => {
        const all = [...rows.values()];
        const failed = all.filter((row) => row.runAt === null).length;
        return { open: all.length - failed, failed };
      }),
  };
}
