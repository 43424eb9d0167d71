import type { ClaimOptions, EnqueueOptions, WorkItem, WorkQueue } from "@signalbox/core/storage";
import { cleanText } from "@signalbox/core/storage";
import { type Kysely, sql } from "kysely";
import type { SqlDialect, SqlResult, SqlRow, SqlSession, Tables, Work } from "../dialect.ts";
import { limitTo, type Prepared, place, prepare, prepareLists, runOnce, slot, tableRef } from "../statements.ts";

const BATCH = 500;

export interface WorkQueries {
  readonly enqueue: Prepared;
  claim(session: SqlSession, options: ClaimOptions): Promise<SqlResult>;
  readonly due: Prepared;
  /** Returns one row unless the table is empty. */
  readonly some: Prepared;
  renew(session: SqlSession, items: readonly WorkItem[], until: number): Promise<SqlResult>;
  complete(session: SqlSession, items: readonly WorkItem[]): Promise<SqlResult>;
  readonly release: Prepared;
  readonly rewind: Prepared;
  free(session: SqlSession, node: string | undefined): Promise<SqlResult>;
  readonly stats: Prepared;
}

/**
 * Statements of queued work, with one row per item. An item whose key is enqueued again takes over the row, with a new id and
 * without a token, so that a claim still running on the old item can no longer touch it.
 */
export function compileWork(db: Kysely<Tables>, dialect: SqlDialect): WorkQueries {
  const table = tableRef(dialect, "sb_work");
  const claim = prepareLists(db, (count) => claimQuery(dialect, count - CLAIM_VALUES));
  const tokens = (items: readonly WorkItem[]) =>
    sql`id in (${sql.join(items.map(({ id }) => id))}) and token in (${sql.join(items.map(({ token }) => token))})`;
  return {
    enqueue: prepare(
      db,
      sql`insert into ${table} (id, kind, key, payload, run_at, queued_at, attempts, node)
        values (${slot("id")}, ${slot("kind")}, ${slot("key")}, ${slot("payload")}, ${slot("runAt")}, ${slot("now")}, 0, ${slot("node")})
        on conflict (kind, key) where run_at is not null do update set id = excluded.id, payload = excluded.payload,
          run_at = excluded.run_at, queued_at = excluded.queued_at, attempts = 0, node = excluded.node,
          claimed_by = null, claimed_until = null, token = null, error = null`,
    ),
    claim: (session, options) => claim(session, claimValues(options)),
    due: prepare(db, dueQuery(dialect)),
    some: prepare(db, sql`select 1 as one from ${table} limit 1`),
    renew: (session, items, until) =>
      runOnce(db, session, sql`update ${table} set claimed_until = ${until} where ${tokens(items)} returning token`),
    complete: (session, items) => runOnce(db, session, sql`delete from ${table} where ${tokens(items)}`),
    release: prepare(
      db,
      sql`update ${table} set run_at = ${slot("runAt")}, queued_at = ${slot("now")}, error = ${slot("error")},
        claimed_by = null, claimed_until = null, token = null where id = ${slot("id")} and token = ${slot("token")}`,
    ),
    rewind: prepare(
      db,
      sql`update ${table} set run_at = ${slot("now")} + case when run_at > queued_at then run_at - queued_at else 0 end,
        queued_at = ${slot("now")} where run_at > ${slot("now")} and queued_at > ${slot("now")}
          and run_at - queued_at <= ${slot("most")}`,
    ),
    free: (session, node) => runOnce(db, session, freeQuery(dialect, node)),
    stats: prepare(db, sql`select count(run_at) as waiting, count(*) - count(run_at) as failed from ${table}`),
  };
}

/** Values of a claim besides its kinds. */
const CLAIM_VALUES = 6;
const claimValues = ({ node, kinds, limit, now, leaseSec, leaseNow = now }: ClaimOptions): readonly unknown[] => [
  now,
  ...kinds,
  ...[node, leaseNow, limit, node, leaseNow + leaseSec],
];

/**
 * The kind is written as an expression that no index matches: otherwise SQLite would use the index of kinds, read all items due
 * later, and sort them. The index of times returns due items in order.
 */
function claimQuery(dialect: SqlDialect, kinds: number) {
  const table = tableRef(dialect, "sb_work");
  return sql`with picked as materialized (
      select seq as place from ${table}
      where run_at <= ${place} and kind || '' in (${sql.join(Array.from({ length: kinds }, () => place))})
        and (node is null or node = ${place}) and (claimed_until is null or claimed_until <= ${place})
      order by run_at, seq ${limitTo(place)} ${dialect.skipLocked}
    )
    update ${table} as item set claimed_by = ${place}, claimed_until = ${place}, attempts = item.attempts + 1,
      token = item.id || '.' || (item.attempts + 1)
    from picked where item.seq = picked.place
    returning id, kind, key, payload, attempts, token, run_at, seq`;
}

/** Returns a row if a claim might find an item. Due items of kinds that this engine does not know also count. */
function dueQuery(dialect: SqlDialect) {
  return sql`select 1 as due from ${tableRef(dialect, "sb_work")} where run_at <= ${slot("now")}
    and (node is null or node = ${slot("node")}) and (claimed_until is null or claimed_until <= ${slot("leaseNow")}) limit 1`;
}

function freeQuery(dialect: SqlDialect, node: string | undefined) {
  const table = tableRef(dialect, "sb_work");
  const isDead = (column: string) => (node === undefined ? sql`true` : sql`${sql.ref(column)} = ${node}`);
  const kept = (column: string) =>
    sql`${sql.ref(column)} = case when ${isDead("claimed_by")} then null else ${sql.ref(column)} end`;
  return sql`update ${table} set node = case when ${isDead("node")} then null else node end,
    ${sql.join(["claimed_by", "claimed_until", "token"].map(kept))}
    where ${isDead("claimed_by")} or ${isDead("node")}`;
}

interface NewItem {
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly now: number;
  readonly options: EnqueueOptions;
}

export async function enqueueItem(
  queries: WorkQueries,
  session: SqlSession,
  { id, kind, payload, now, options }: NewItem,
): Promise<void> {
  await queries.enqueue(session, {
    id,
    kind: cleanText(kind),
    key: options.key === undefined ? null : cleanText(options.key),
    payload: JSON.stringify(payload ?? null),
    runAt: options.runAt ?? now,
    now,
    node: options.node ?? null,
  });
}

export interface WorkTransactions {
  /** Runs one reading statement. */
  read<R>(work: Work<R>): Promise<R>;
  /** Runs one writing statement. */
  write<R>(work: Work<R>): Promise<R>;
  /** Runs several writing statements in one transaction. */
  writeMany<R>(work: Work<R>): Promise<R>;
  /** Whether the queue's table is empty at this moment. */
  isKnownEmpty(): boolean;
}

/** Claims due items. If the caller expects none, it looks first, because a read costs less than a write. */
async function claimDue(
  queries: WorkQueries,
  { read, write, isKnownEmpty }: Pick<WorkTransactions, "read" | "write" | "isKnownEmpty">,
  options: Parameters<WorkQueue["claim"]>[0],
): Promise<WorkItem[]> {
  const limit = Math.floor(options.limit);
  if (options.kinds.length === 0 || limit <= 0) return [];
  const { node, now, look, leaseNow = now } = options;
  const isDue = async () => (await read((session) => queries.due(session, { node, now, leaseNow }))).rows.length > 0;
  if (look && (isKnownEmpty() || !(await isDue()))) return [];
  const { rows } = await write((session) => queries.claim(session, { ...options, limit }));
  return rows.toSorted(byDueTime).map(decodeItem);
}

export function kyselyWork(queries: WorkQueries, transactions: WorkTransactions, wakers: Set<() => void>): WorkQueue {
  const { read, write } = transactions;
  return {
    claim: (options) => claimDue(queries, transactions, options),
    renew: (items, until) =>
      inBatches(items, transactions, async (session, batch) =>
        (await queries.renew(session, batch, until)).rows.map((row) => row["token"] as string),
      ),
    async complete(items) {
      await inBatches(items, transactions, async (session, batch) => {
        await queries.complete(session, batch);
        return [];
      });
    },
    async release({ id, token }, { runAt, error, now }) {
      await write((session) => queries.release(session, { id, token, runAt, now, error: cleanText(error) }));
    },
    async rewind(now, most) {
      await write((session) => queries.rewind(session, { now, most }));
    },
    async free(node) {
      await write((session) => queries.free(session, node));
      // The freed items should not have to wait for the next poll.
      for (const wake of wakers) wake();
    },
    onEnqueued(wake) {
      // Wrapped, so that subscribing the same function twice makes two subscriptions.
      const listener = (): void => wake();
      wakers.add(listener);
      return { [Symbol.dispose]: () => void wakers.delete(listener) };
    },
    isKnownEmpty: transactions.isKnownEmpty,
    async stats() {
      const [row] = (await read((session) => queries.stats(session))).rows;
      return { open: Number(row?.["waiting"]), failed: Number(row?.["failed"]) };
    },
  };
}

async function inBatches<R>(
  items: readonly WorkItem[],
  { write, writeMany }: Pick<WorkTransactions, "write" | "writeMany">,
  run: (session: SqlSession, batch: readonly WorkItem[]) => Promise<R[]>,
): Promise<R[]> {
  if (items.length === 0) return [];
  if (items.length <= BATCH) return write((session) => run(session, items));
  return writeMany(async (session) => {
    const results: R[] = [];
    for (let start = 0; start < items.length; start += BATCH)
      results.push(...(await run(session, items.slice(start, start + BATCH))));
    return results;
  });
}

const byDueTime = (a: SqlRow, b: SqlRow): number =>
  Number(a["run_at"]) - Number(b["run_at"]) || Number(a["seq"]) - Number(b["seq"]);

const decodeItem = (row: SqlRow): WorkItem => ({
  id: row["id"] as string,
  kind: row["kind"] as string,
  key: row["key"] as string | null,
  payload: JSON.parse(row["payload"] as string),
  attempts: Number(row["attempts"]) - 1,
  token: row["token"] as string,
});
