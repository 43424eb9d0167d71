import type { Cradle } from "../../../kernel/container.ts";
import type { WriteTx } from "../../../ports/storage.ts";
import { deletedServerCollection } from "../collection.ts";
import { DELETED_MESSAGE, DELETED_SEC } from "../rules/departure.ts";

/**
 * Servers that were deleted with their history a short time ago (part 23). A satellite that still runs is told once
 * more to uninstall itself when it says hello, in place of coming back as a new record under its old id.
 */
export interface DeletedServers {
  has(id: string): boolean;
  /** Notes a deletion, in its transaction. */
  note(tx: WriteTx, id: string): Promise<void>;
  /** Reads what is stored, from now on and whenever another node notes a deletion. */
  follow(): Promise<void>;
  unfollow(): void;
}

/** Beyond that the oldest ones may come back early. */
const MAX_KEPT = 10_000;

type Deps = Pick<Cradle, "clock" | "log" | "snapshot" | "storage">;

export function createDeletedServers({ clock, log, snapshot, storage }: Deps): DeletedServers {
  let known: ReadonlyMap<string, number> = new Map();
  let subscription: Disposable | undefined;

  async function load(): Promise<void> {
    const rows = await snapshot((tx) => tx.collection(deletedServerCollection).list());
    known = new Map(rows.map(({ id, until }) => [id, until]));
  }
  function reload(): void {
    load().catch((error: unknown) => log.error({ error }, "The list of deleted servers could not be read"));
  }

  return {
    has: (id) => (known.get(id) ?? 0) > clock.now(),
    async note(tx, id) {
      const now = clock.now();
      const deleted = tx.collection(deletedServerCollection);
      const rows = await deleted.list();
      const alive = rows.filter(({ until }) => until > now).sort((a, b) => b.until - a.until);
      const kept = new Set(alive.slice(0, MAX_KEPT - 1).map((row) => row.id));
      for (const row of rows) if (!kept.has(row.id) || row.id === id) await deleted.delete(row.id);
      await deleted.insert({ id, until: now + DELETED_SEC });
      tx.publish({ type: DELETED_MESSAGE, payload: { id } });
      tx.afterCommit(() => {
        known = new Map([...known, [id, now + DELETED_SEC]]);
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
