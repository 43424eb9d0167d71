import type { SqlStorage } from "@signalbox/adapters/kysely";
import { lazyStorage } from "@signalbox/adapters/lazy-storage";
import { type Clock, createIds, type Logger, silentLogger, systemClock, systemRandom } from "@signalbox/core";
import type pg from "pg";

export interface PgStorageOptions {
  readonly connectionString?: string;
  /** A pool of the host in place of `connectionString`; the storage never ends it. */
  readonly pool?: pg.Pool;
  /** Schema of all tables, default "signalbox"; created when it is missing. */
  readonly schema?: string;
  /**
   * For the connections that outlive a transaction (leadership, messages, migrations) when the others go through a
   * transaction-pooling proxy. Also turns named prepared statements off.
   */
  readonly directConnectionString?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * Storage in PostgreSQL, shared by any number of host processes. `adopt` takes a `pg` client with an open transaction,
 * or a Kysely transaction on the same database.
 */
export function pgStorage(options: PgStorageOptions): SqlStorage {
  const { connectionString, pool, schema = "signalbox" } = options;
  const { clock = systemClock, log = silentLogger } = options;
  if ((connectionString === undefined) === (pool === undefined))
    throw new TypeError("Give either `connectionString` or `pool`");
  if (!/^[a-z_][a-z0-9_]{0,52}$/.test(schema))
    throw new TypeError(`A schema cannot be named ${JSON.stringify(schema)}: small letters, digits and _, at most 53`);
  const nodeId = createIds({ clock, random: systemRandom() }).short("n");
  return lazyStorage({
    name: "pg",
    nodeId,
    shared: true,
    load: async () => (await import("./open-pg.ts")).openPg({ ...options, nodeId, schema, clock, log }),
  });
}
