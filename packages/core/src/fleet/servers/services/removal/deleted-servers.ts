import type { Cradle } from "../../../../kernel/container.ts";
import { createFollowing } from "../../../../kernel/nodes/following.ts";
import { byId } from "../../../../lib/by-id.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { deletedServerCollection } from "../../collection.ts";
import type { DeletedServer, Server } from "../../model.ts";
import { DELETED_MESSAGE, DELETED_SEC, MISSED_SEC, REMOVE_SEC } from "../../rules/departure.ts";

/**
 * Servers that were deleted recently (docs/contract/servers.md#removal). If a satellite was deleted with its history
 * but still runs, its next hello is answered with another order to uninstall itself. Otherwise it would come back as a
 * new record under its id.
 */
export interface DeletedServers {
  /** True when the server was deleted with its record and history. */
  has(id: string): boolean;
  /** True when it was told to uninstall itself and has not come back, so that it is not missed. */
  isLeaving(server: Pick<Server, "id" | "modified">): boolean;
  /** Records a deletion, in its transaction. A server that was deleted without its history may come back. */
  note(tx: WriteTx, id: string, options: { readonly history: boolean }): Promise<void>;
  /** Servers exist again: drops their deletions with history, in the transaction. */
  forget(tx: WriteTx, ids: ReadonlySet<string>): Promise<void>;
  /** Reads the stored deletions, now and whenever another node records one. */
  follow(): Promise<void>;
  unfollow(): void;
}

/** Most deletions that are remembered; beyond it the oldest ones expire early. */
const MAX_KEPT = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "snapshot" | "storage">;

export function createDeletedServers(deps: Deps): DeletedServers {
  const { clock } = deps;
  const { known, change, ...following } = createKnown(deps);
  const alive = (id: string): DeletedServer | undefined => {
    const row = known().get(id);
    return row && row.until > clock.now() ? row : undefined;
  };
  return {
    has: (id) => alive(id)?.history === true,
    isLeaving({ id, modified }) {
      const row = alive(id);
      // Its disconnection is the last change of the record.
      return row !== undefined && modified <= row.since + REMOVE_SEC;
    },
    async note(tx, id, { history }) {
      const now = clock.now();
      const row = { id, since: now, until: now + (history ? DELETED_SEC : MISSED_SEC), history };
      await makeRoom(tx, row);
      await tx.collection(deletedServerCollection).insert(row);
      change(tx, [id], (rows) => new Map([...rows, [id, row]]));
    },
    async forget(tx, ids) {
      const back = new Set([...ids].filter((id) => known().get(id)?.history));
      if (back.size === 0) return;
      await tx.collection(deletedServerCollection).deleteMany([...back]);
      change(tx, back, (rows) => new Map([...rows].filter(([id]) => !back.has(id))));
    },
    ...following,
  };
}

type Known = ReadonlyMap<string, DeletedServer>;

/** The stored deletions in memory, in step with other nodes. */
function createKnown({ log, snapshot, storage }: Deps) {
  let known: Known = new Map();
  async function load(): Promise<void> {
    known = byId(await snapshot((tx) => tx.collection(deletedServerCollection).list()));
  }
  function reload(): void {
    load().catch((error: unknown) => log.error({ error }, "The list of deleted servers could not be read"));
  }
  const following = createFollowing(
    { storage },
    ({ type }) => {
      if (type === DELETED_MESSAGE) reload();
    },
    reload,
  );
  return {
    known: () => known,
    /** Tells other nodes of a change in the transaction, and makes it here after the commit. */
    change(tx: WriteTx, ids: Iterable<string>, apply: (rows: Known) => Known): void {
      for (const id of ids) tx.publish({ type: DELETED_MESSAGE, payload: { id } });
      tx.afterCommit(() => {
        known = apply(known);
      });
    },
    async follow() {
      await following.begin();
      await load();
    },
    unfollow: following.end,
  };
}

/** Deletes an earlier deletion of the same server, expired ones, and the oldest beyond the bound. */
async function makeRoom(tx: WriteTx, { id, since }: DeletedServer): Promise<void> {
  const deleted = tx.collection(deletedServerCollection);
  const rows = await deleted.list();
  const valid = rows.filter(({ until }) => until > since).sort((a, b) => b.until - a.until);
  const kept = new Set(valid.slice(0, MAX_KEPT - 1).map((row) => row.id));
  await deleted.deleteMany(rows.map((row) => row.id).filter((each) => !kept.has(each) || each === id));
}
