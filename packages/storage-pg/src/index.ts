import { kyselyStorage, type SqlStorage } from "@signalbox/adapters/kysely";
import {
  type Clock,
  checkOptions,
  consoleLogger,
  createIds,
  given,
  givenText,
  type Logger,
  type OptionRules,
  optional,
  optionalOneOf,
  systemClock,
  systemRandom,
  warnOnceAMinute,
} from "@signalbox/core/adapter";
import type pg from "pg";
import { type Bus, createCarrier } from "./news/carrier.ts";
import { pgBackend } from "./pg-backend.ts";
import { createConnections } from "./sessions/connections.ts";
import { pgUpkeep } from "./upkeep.ts";

export interface PgStorageOptions {
  readonly connectionString?: string;
  /** A pool of the host instead of `connectionString`; the storage never ends it. */
  readonly pool?: pg.Pool;
  /** Schema of all tables, default "signalbox"; created when it is missing. */
  readonly schema?: string;
  /**
   * Address for the connections that outlive a transaction (leadership, messages, beats, migrations) when the others go through a
   * transaction-pooling proxy. Also disables named prepared statements.
   */
  readonly directConnectionString?: string;
  /**
   * How nodes reach each other: "notify" by notifications of PostgreSQL, "poll" by polling a table, for a transaction-pooling
   * proxy without `directConnectionString`. The default, "auto", tests the connections at the start.
   */
  readonly bus?: Bus;
  readonly clock?: Clock;
  readonly log?: Logger;
}

const RULES: OptionRules<PgStorageOptions> = {
  connectionString: givenText,
  pool: given,
  schema: givenText,
  directConnectionString: givenText,
  bus: optionalOneOf("auto", "notify", "poll"),
  clock: optional,
  log: optional,
};

/**
 * Storage in PostgreSQL, shared by any number of host processes. `adopt` takes a `pg` client with an open transaction, or a
 * Kysely transaction on the same database. Throws `TypeError` when no database is named, for an unknown option, and for a schema
 * name other than at most 53 small letters, digits and `_`.
 */
export function pgStorage(options: PgStorageOptions): SqlStorage {
  checkOptions("pgStorage", options, RULES);
  const { connectionString, pool, schema = "signalbox", directConnectionString } = options;
  const { bus = "auto", clock = systemClock, log = consoleLogger } = options;
  if ((connectionString === undefined) === (pool === undefined))
    throw new TypeError("pgStorage: give either `connectionString` or `pool`");
  if (!/^[a-z_][a-z0-9_]{0,52}$/.test(schema))
    throw new TypeError(`A schema cannot be named ${JSON.stringify(schema)}: small letters, digits and _, at most 53`);
  const connections = createConnections({
    ...(connectionString === undefined ? {} : { connectionString }),
    ...(pool === undefined ? {} : { pool }),
    ...(directConnectionString === undefined ? {} : { directConnectionString }),
    log,
  });
  const loopLog = warnOnceAMinute(log, clock);
  const carrier = createCarrier(bus, connections, log);
  const nodeId = createIds({ clock, random: systemRandom() }).short("n");
  const names = directConnectionString === undefined ? new WeakMap() : undefined;
  const storage = kyselyStorage(pgBackend({ connections, carrier, schema, nodeId, names, log: loopLog }), {
    clock,
    log,
  });
  return { ...storage, upkeep: pgUpkeep(connections, schema) };
}
