import type { Storage } from "@signalbox/core";
import type { SqlStorage } from "../kysely/kysely-storage.ts";

interface LazyStorageOptions {
  readonly name: string;
  readonly nodeId: string;
  /** Whether other processes may write to the same database. */
  readonly shared: boolean;
  /** Loads and makes the storage itself; called once, by `open`. */
  readonly load: () => Promise<SqlStorage>;
}

/**
 * A storage whose modules are loaded when it is opened. A host imports Signalbox at its own start, where a query builder
 * of 300 modules would be a third of the time; who never starts the engine never loads it.
 */
export function lazyStorage({ name, nodeId, shared, load }: LazyStorageOptions): SqlStorage {
  let loading: Promise<SqlStorage> | undefined;
  let loaded: SqlStorage | undefined;
  const opened = (): SqlStorage => {
    if (!loaded) throw new Error("The storage is not open");
    return loaded;
  };
  return {
    name,
    coordination: {
      nodeId,
      shared,
      lead: (office, hold) => opened().coordination.lead(office, hold),
      subscribe: (handler, onGap) => opened().coordination.subscribe(handler, onGap),
    },
    get work() {
      return opened().work;
    },
    async open(collections) {
      loading ??= load();
      loaded = await loading;
      await loaded.open(collections);
    },
    // `async`: what is asked too early is a rejection, as it is everywhere else.
    read: async (work) => opened().read(work),
    write: async (work) => opened().write(work),
    adopt: (handle) => opened().adopt(handle),
    verifyIndexes: async () => opened().verifyIndexes(),
    async close() {
      await (await loading?.catch(() => undefined))?.close();
    },
  } satisfies Storage & SqlStorage;
}
