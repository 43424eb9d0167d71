import { kyselyStorage, type SqlStorage } from "@signalbox/adapters/kysely";
import type { Clock, Logger } from "@signalbox/core";
import { createConnections } from "./connections.ts";
import type { PgStorageOptions } from "./index.ts";
import { pgBackend } from "./pg-backend.ts";

interface OpenOptions extends PgStorageOptions {
  readonly nodeId: string;
  readonly schema: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What `pgStorage` loads when it is opened. */
export function openPg(options: OpenOptions): SqlStorage {
  const { connectionString, pool, directConnectionString, schema, nodeId, clock, log } = options;
  const connections = createConnections({
    ...(connectionString === undefined ? {} : { connectionString }),
    ...(pool === undefined ? {} : { pool }),
    ...(directConnectionString === undefined ? {} : { directConnectionString }),
    log,
  });
  const names = directConnectionString === undefined ? new WeakMap() : undefined;
  return kyselyStorage(pgBackend({ connections, schema, nodeId, names, clock, log }), { clock, log });
}
