import type { Writable } from "node:stream";
import pg from "pg";

/** Demands of a piece of work on the connections of a pool. */
export interface Asked {
  /** Statements, with the begins and commits of transactions. */
  statements: number;
  /** Writes to a socket: statements that are sent together count as one. */
  trips: number;
}

export interface CountedPool extends AsyncDisposable {
  readonly pool: pg.Pool;
  /** Demands since the last call. */
  take(): Asked;
}

/** A pool like that of the storage. It counts statements and changes nothing. */
export function countedPool(connectionString: string): CountedPool {
  // An idle connection that is closed after ten seconds is counted again when the next one opens, on a busy machine alone.
  const pool = new pg.Pool({ connectionString, pipeline: true, idleTimeoutMillis: 0 });
  const none = (): Asked => ({ statements: 0, trips: 0 });
  let asked = none();
  pool.on("connect", (client) => {
    const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
    const { _write: write, _writev: writeMany } = stream;
    stream._write = (...chunk) => {
      asked.trips += 1;
      write.apply(stream, chunk);
    };
    stream._writev = (...chunks) => {
      asked.trips += 1;
      writeMany?.apply(stream, chunks);
    };
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const counted = (...given: unknown[]): Promise<unknown> => {
      asked.statements += 1;
      return query(...given);
    };
    Object.assign(client, { query: counted });
  });
  return {
    pool,
    take() {
      const taken = asked;
      asked = none();
      return taken;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
