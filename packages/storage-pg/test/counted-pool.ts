import type { Writable } from "node:stream";
import pg from "pg";

/** What a piece of work asks of the connections of a pool. */
export interface Asked {
  /** Statements, including begins and commits. */
  statements: number;
  /** Writes to a socket: statements sent together count as one. */
  trips: number;
}

export interface CountedPool extends AsyncDisposable {
  readonly pool: pg.Pool;
  /** Counts since the last call. */
  take(): Asked;
}

/** A pool like the storage's that counts statements and changes nothing else. */
export function countedPool(connectionString: string): CountedPool {
  // No idle timeout: on a busy machine, a connection closed after ten seconds would be counted again when the next one opens.
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
