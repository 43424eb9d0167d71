import type { Cradle } from "../../../kernel/container.ts";
import type { SearchableTable, WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { durationSeconds } from "../../../lib/time/duration.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { below, everything, hasWord, type SearchNode } from "../../../search/ast.ts";
import { snapshotCollection, snapshotPartCollection } from "../collection.ts";
import { type HeavyMembers, partId, type Snapshot, type StoredSnapshot } from "../model.ts";
import { joined } from "../rules/halves.ts";
import { deleteParts } from "./group-snapshots.ts";

/** Reads stored snapshots whole, and deletes them. */
export interface SnapshotLibrary {
  /** The snapshot with its heavy members. */
  whole(tx: ReadTx, stored: StoredSnapshot): Promise<Snapshot>;
  /** Returns false when there is no such snapshot. */
  delete(tx: WriteTx, id: string): Promise<boolean>;
  /** Deletes the snapshots of a server in the background; group snapshots that include it stay. */
  dropServer(tx: WriteTx, server: string): Promise<void>;
  /** The same at once, in bounded steps. */
  drop(server: string, signal: AbortSignal): Promise<void>;
  /** Keeps the newest `db_maint.snapshots.max_rows` that are not older than `max_age`. */
  prune(now: number, signal: AbortSignal): Promise<void>;
}

/** Kind of the queued work that deletes the snapshots of a server. */
export const DROP_KIND = "snapshots.drop";
/** Snapshots per transaction, so that others get their turn. */
const BATCH = 50;

/** Deletes snapshots in small transactions. */
function createDrops({ config, snapshot, transact }: Pick<Cradle, "config" | "snapshot" | "transact">) {
  const dropOldest = (where: SearchNode, limit: number): Promise<number> =>
    transact(async ({ tx }) => {
      const { rows } = await tx.collection(snapshotCollection).find(where, { sortBy: "date", limit });
      for (const stored of rows) await remove(tx, stored);
      return rows.length;
    });
  const dropAll = async (where: SearchNode, signal: AbortSignal): Promise<void> => {
    let removed = BATCH;
    while (removed === BATCH && !signal.aborted) removed = await dropOldest(where, BATCH);
  };
  const dropSurplus = async (signal: AbortSignal): Promise<void> => {
    const count = (tx: ReadTx) => tx.collection(snapshotCollection).find(everything, { limit: 1 });
    let surplus = (await snapshot(count)).total - config.db_maint.snapshots.max_rows;
    while (surplus > 0 && !signal.aborted) {
      const removed = await dropOldest(everything, Math.min(BATCH, surplus));
      surplus = removed === 0 ? 0 : surplus - removed;
    }
  };
  return { dropAll, dropSurplus };
}

export function createLibrary({
  config,
  snapshot,
  transact,
}: Pick<Cradle, "config" | "snapshot" | "transact">): SnapshotLibrary {
  const { dropAll, dropSurplus } = createDrops({ config, snapshot, transact });
  return {
    async whole(tx, stored) {
      const parts = tx.collection(snapshotPartCollection);
      const members: HeavyMembers[] = [];
      for (let index = 0; index < stored.parts; index++)
        members.push((await parts.get(partId(stored.id, index)))?.members ?? {});
      return joined(stored, members);
    },
    async delete(tx, id) {
      const stored = await tx.collection(snapshotCollection).get(id);
      if (!stored) return false;
      await remove(tx, stored);
      return true;
    },
    dropServer: (tx, server) => tx.enqueue(DROP_KIND, { server }, { key: server }),
    drop: (server, signal) => dropAll(hasWord("server", server), signal),
    async prune(now, signal) {
      const seconds = durationSeconds(config.db_maint.snapshots.max_age ?? "");
      if (seconds > 0) await dropAll(below("date", Math.floor(now - seconds)), signal);
      await dropSurplus(signal);
    },
  };
}

async function remove(tx: WriteTx, { id, parts }: StoredSnapshot): Promise<void> {
  await deleteParts(tx, id, parts);
  await tx.collection(snapshotCollection).delete(id);
}

/** Queued work: deletes the snapshots of a deleted server. */
export const dropSnapshots: WorkHandler = async ({ payload }, { events, snapshots }, signal) => {
  await snapshots.drop(String((payload as { server?: unknown }).server), signal);
  signal.throwIfAborted();
  events.emit("bulk.deleted", { list: "snapshots" });
};

/** For bulk deletions that name this table. */
export const removeSnapshot: NonNullable<SearchableTable["remove"]> = (id, _order, { snapshots, transact }) =>
  transact(async ({ tx }) => void (await snapshots.delete(tx, id)));
