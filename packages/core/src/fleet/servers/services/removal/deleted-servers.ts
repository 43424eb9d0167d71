import type { Cradle } from "../../../../kernel/container.ts";
import type { WriteTx } from "../../../../ports/storage/storage.ts";
import { deletedServerCollection } from "../../collection.ts";
import type { DeletedServer, Server } from "../../model.ts";
import { DELETED_MESSAGE, DELETED_SEC, MISSED_SEC, REMOVE_SEC } from "../../rules/departure.ts";

/**
 * Servers that were deleted a short time ago (docs/contract/servers.md#removal). A satellite whose record went with its
 * history, and that still runs, is told once more to uninstall itself when it says hello, in place of coming back as a
 * new record under its id.
 */
export interface DeletedServers {
  /** The server was deleted, its record and history with it. */
  has(id: string): boolean;
  /** It was told to uninstall itself and did not come back since, so it is not missed. */
  isLeaving(server: Pick<Server, "id" | "modified">): boolean;
  /** Notes a deletion, in its transaction; without its history a server may come back. */
  note(tx: WriteTx, id: string, options: { readonly history: boolean }): Promise<void>;
  /** Servers are there again: their deletions, with history, are forgotten in the transaction. */
  forget(tx: WriteTx, ids: ReadonlySet<string>): Promise<void>;
  /** Reads the stored deletions, from now on and whenever another node notes one. */
  follow(): Promise<void>;
  unfollow(): void;
}

/** Deleted servers that are remembered; beyond that the oldest ones may come back early. */
const MAX_KEPT = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "snapshot" | "storage">;

export function createDeletedServers({ clock, log, snapshot, storage }: Deps): DeletedServers {
  let known: ReadonlyMap<string, DeletedServer> = new Map();
  let subscription: Disposable | undefined;

  async function load(): Promise<void> {
    const rows = await snapshot((tx) => tx.collection(deletedServerCollection).list());
    known = new Map(rows.map((row) => [row.id, row]));
  }
  function reload(): void {
    load().catch((error: unknown) => log.error({ error }, "The list of deleted servers could not be read"));
  }

  const alive = (id: string): DeletedServer | undefined => {
    const row = known.get(id);
    return row && row.until > clock.now() ? row : undefined;
  };

  return {
    has: (id) => alive(id)?.history === true,
    isLeaving({ id, modified }) {
      const row = alive(id);
      // Its departure changes the record for the last time.
      return row !== undefined && modified <= row.since + REMOVE_SEC;
    },
    async note(tx, id, { history }) {
      const now = clock.now();
      const row = { id, since: now, until: now + (history ? DELETED_SEC : MISSED_SEC), history };
      await makeRoom(tx, row);
      await tx.collection(deletedServerCollection).insert(row);
      tx.publish({ type: DELETED_MESSAGE, payload: { id } });
      tx.afterCommit(() => {
        known = new Map([...known, [id, row]]);
      });
    },
    async forget(tx, ids) {
      const back = new Set([...ids].filter((id) => known.get(id)?.history));
      if (back.size === 0) return;
      await tx.collection(deletedServerCollection).deleteMany([...back]);
      for (const id of back) tx.publish({ type: DELETED_MESSAGE, payload: { id } });
      tx.afterCommit(() => {
        known = new Map([...known].filter(([id]) => !back.has(id)));
      });
    },
    async follow() {
      subscription = await storage.coordination.subscribe(({ type }) => {
        if (type === DELETED_MESSAGE) reload();
      }, reload);
      await load();
    },
    unfollow() {
      subscription?.[Symbol.dispose]();
      subscription = undefined;
    },
  };
}

/** Takes out an earlier deletion of the same server, deletions that are over, and the oldest ones of too many. */
async function makeRoom(tx: WriteTx, { id, since }: DeletedServer): Promise<void> {
  const deleted = tx.collection(deletedServerCollection);
  const rows = await deleted.list();
  const valid = rows.filter(({ until }) => until > since).sort((a, b) => b.until - a.until);
  const kept = new Set(valid.slice(0, MAX_KEPT - 1).map((row) => row.id));
  await deleted.deleteMany(rows.map((row) => row.id).filter((each) => !kept.has(each) || each === id));
}
