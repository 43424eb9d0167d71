import { kyselyStorage, type SqlStorage } from "@signalbox/adapters/kysely";
import { type Clock, type Logger, localCoordination } from "@signalbox/core";
import { fromHostDatabase, fromNodeSqlite, isNodeSqlite, openFile, type SqliteHandle } from "./handle.ts";
import type { SqliteStorageOptions } from "./index.ts";
import { type SqliteConnections, sqliteBackend } from "./sqlite-backend.ts";

interface OpenOptions extends SqliteStorageOptions {
  readonly nodeId: string;
  readonly durability: "full" | "process";
  readonly clock: Clock;
  readonly log: Logger;
}

/** What `sqliteStorage` loads when it is opened. */
export function openSqlite(options: OpenOptions): SqlStorage {
  const { nodeId, durability, clock, log } = options;
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
