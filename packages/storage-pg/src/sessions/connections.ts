import type { Logger } from "@signalbox/core";
import pg from "pg";
import { createSilence, type Silence } from "./silent.ts";

export interface ConnectionOptions {
  readonly connectionString?: string;
  readonly pool?: pg.Pool;
  readonly directConnectionString?: string;
  readonly log: Logger;
  /** Milliseconds between two checks for silent connections. */
  readonly lookMs?: number;
  /** Milliseconds within which a server must accept a connection of our own. */
  readonly connectMs?: number;
}

export interface Connections {
  readonly pool: pg.Pool;
  /** "the PostgreSQL database ops at db.example:5432": never the account or its password. */
  readonly place: string;
  /** A connection outside of the pool, for use beyond one transaction. Rejects when the server grants none. */
  connectAlone(purpose: string): Promise<pg.Client>;
  /** Makes each statement of our own pool wait for the answer to the one before. */
  askInTurn(): void;
  /** Takes a client from the pool; a failing connection is closed, not returned. */
  borrow(): Promise<Borrowed>;
  end(): Promise<void>;
}

export interface Borrowed {
  readonly client: pg.PoolClient;
  /** Returns the client to the pool. Closes it instead when the connection broke, or when `broken` says so. */
  release(broken?: boolean): void;
}

/** Logs the message alone: the error of a pool holds its whole client, with the key that cancels its statements. */
const reasonOf = ({ message }: Error) => ({ reason: message });

/** A network forgets an idle connection after some minutes; by default the system checks after two hours. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
const CONNECT_MS = 10_000;

/** A connection of the pool; one that drops meanwhile does not go back to it. */
async function borrow(pool: pg.Pool, log: Logger, silence: Silence) {
  const client = await pool.connect();
  const letGo = silence.hold(client);
  let failed = false;
  const onError = (error: Error): void => {
    failed = true;
    log.warn(reasonOf(error), "A database connection dropped");
  };
  client.on("error", onError);
  return {
    client,
    release(broken = false) {
      letGo();
      client.removeListener("error", onError);
      client.release(broken || failed);
    },
  };
}

export function createConnections({
  connectionString,
  pool: given,
  directConnectionString,
  log,
  lookMs,
  connectMs = CONNECT_MS,
}: ConnectionOptions): Connections {
  const pool = given ?? ownPool(connectionString, directConnectionString === undefined, connectMs);
  // An idle connection that drops must not end the host.
  const onPoolError = (error: Error): void => log.warn(reasonOf(error), "An idle database connection dropped");
  pool.on("error", onPoolError);
  const direct: pg.ClientConfig =
    directConnectionString === undefined ? pool.options : { connectionString: directConnectionString };
  const connectAlone = (purpose: string): Promise<pg.Client> => connectTo(direct, purpose, log);
  const silence = createSilence({ connectAlone, log, ...(lookMs === undefined ? {} : { lookMs }) });
  // The proxy numbers sessions itself, so they cannot be looked up on the server.
  if (directConnectionString !== undefined) silence.end();
  return {
    pool,
    place: placeOf(direct),
    askInTurn() {
      if (!given) pool.options.pipeline = false;
      silence.end();
    },
    connectAlone,
    borrow: () => borrow(pool, log, silence),
    async end() {
      silence.end();
      // Connections of our own pool may still drop while they close, after this has resolved.
      if (given) pool.removeListener("error", onPoolError);
      else await pool.end();
    },
  };
}

async function connectTo(options: pg.ClientConfig, purpose: string, log: Logger): Promise<pg.Client> {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_MS,
    ...withPassword(options),
    application_name: `signalbox ${purpose}`,
    ...KEEP_ALIVE,
  });
  // Without a listener, losing the connection would be an uncaught error; the event `end` tells the owner.
  client.on("error", (error) => log.warn({ ...reasonOf(error), purpose }, "A database connection dropped"));
  await client.connect();
  return client;
}

/** The place that the address stands for, or the environment without one; an unconnected client works it out. */
function placeOf(options: pg.ClientConfig): string {
  const { database = "", host, port } = unconnected(options);
  return `the PostgreSQL database ${database} at ${host.startsWith("/") ? host : `${host}:${port}`}`;
}

const NO_ADDRESS =
  "pgStorage: the address of the database cannot be read. In a password, signs like / # ? stand as %2F %23 %3F; or leave it out and set PGPASSWORD";

/** Throws `TypeError` for an invalid address, without repeating any of it. */
function unconnected(options: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(withPassword(options));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_INVALID_URL") throw new TypeError(NO_ADDRESS);
    throw error;
  }
}

/**
 * Our own pool; behind a proxy each statement waits for the answer to the one before. The pool's own timeout for connecting would
 * also cut off waits for a free connection.
 */
function ownPool(connectionString: string | undefined, pipeline: boolean, connectMs: number): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs });
    }
  }
  return new pg.Pool({ connectionString, application_name: "signalbox", pipeline, ...KEEP_ALIVE, Client });
}

/** A pool hides its password from enumeration, so it is copied explicitly. */
const withPassword = (options: pg.ClientConfig): pg.ClientConfig =>
  options.password === undefined ? options : { ...options, password: options.password };
