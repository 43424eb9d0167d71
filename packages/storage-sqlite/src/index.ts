import type { DatabaseSync } from "node:sqlite";
import type { SqlStorage } from "@signalbox/adapters/kysely";
import { lazyStorage } from "@signalbox/adapters/lazy-storage";
import { type Clock, createIds, type Logger, silentLogger, systemClock, systemRandom } from "@signalbox/core";
import type { SqliteDatabase } from "kysely";

export interface SqliteStorageOptions {
  /** File path, or ":memory:" (the default). */
  readonly filename?: string;
  /**
   * An open handle of the host in place of `filename`: a `DatabaseSync`, or what Kysely's SQLite dialect takes
   * (better-sqlite3). Where it names a file, the storage opens connections of its own beside it; a database in memory
   * is shared. The storage never closes it.
   */
  readonly database?: DatabaseSync | SqliteDatabase;
  /**
   * What an acknowledged write survives: "full" (the default) the loss of power, "process" only the death of the
   * process.
   */
  readonly durability?: "full" | "process";
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * Storage in one SQLite file, for a single host process; a second one is refused while the first one lives.
 * `adopt` takes a `DatabaseSync`, a better-sqlite3 database or a Kysely transaction on the same file.
 */
export function sqliteStorage(options: SqliteStorageOptions = {}): SqlStorage {
  const { clock = systemClock, log = silentLogger, durability = "full" } = options;
  if (options.filename !== undefined && options.database !== undefined)
    throw new TypeError("Give either `filename` or `database`");
  const nodeId = createIds({ clock, random: systemRandom() }).short("n");
  return lazyStorage({
    name: "sqlite",
    nodeId,
    shared: false,
    load: async () => (await import("./open-sqlite.ts")).openSqlite({ ...options, nodeId, durability, clock, log }),
  });
}
