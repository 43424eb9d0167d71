import type { DatabaseSync } from "node:sqlite";
import { kyselyStorage, type SqlStorage } from "@signalbox/adapters/kysely";
import {
  type Clock,
  createIds,
  type Logger,
  localCoordination,
  silentLogger,
  systemClock,
  systemRandom,
} from "@signalbox/core";
import type { SqliteDatabase } from "kysely";
import { fromHostDatabase, fromNodeSqlite, isNodeSqlite, openFile, type SqliteHandle } from "./handle.ts";
import { type SqliteConnections, sqliteBackend } from "./sqlite-backend.ts";

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
  const backend = sqliteBackend({
    connect: () => connect(options),
    durability,
    coordination: localCoordination({ nodeId, log }),
    clock,
    log,
  });
  return kyselyStorage(backend, { clock, log });
}

function connect({ filename = ":memory:", database }: SqliteStorageOptions): SqliteConnections {
  if (database !== undefined) {
    const host = isNodeSqlite(database) ? fromNodeSqlite(database) : fromHostDatabase(database);
    const writer = host.openAnother();
    return writer ? withReader(writer) : { writer: host, shared: database };
  }
  return withReader(openFile(filename));
}

function withReader(writer: SqliteHandle): SqliteConnections {
  const reader = writer.openAnother();
  return reader ? { writer, reader } : { writer };
}
