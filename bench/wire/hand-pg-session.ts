import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

type Row = Readonly<Record<string, unknown>>;

export interface Result {
  readonly rows: readonly Row[];
}

/** Sends statements in one write, and resolves to the results of all. */
export type Session = (...queries: readonly (pg.QueryConfig | string)[]) => Promise<readonly Result[]>;

export interface HandSessions {
  /** Runs one statement, which commits by itself. */
  ask(query: pg.QueryConfig): Promise<Result>;
  /** Holds a connection for the duration of the work. */
  use<R>(work: (session: Session) => Promise<R>): Promise<R>;
  /** Notifies other nodes, soon. */
  tell(change: object): void;
}

const asText = { getTypeParser: () => (text: string) => text };

/** A statement that each connection prepares once. */
export const statement =
  (name: string, text: string): ((...values: readonly unknown[]) => pg.QueryConfig) =>
  (...values) => ({ name, text, values: values as unknown[], types: asText as never });

/** Members of a client that its types leave out. */
interface Corked {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

const MERGE_MS = 10;
const notify = statement("notify", "select pg_notify('by_hand', value) from json_array_elements_text($1::json)");

export function createHandSessions({ connectionString, options }: pg.PoolConfig): HandSessions {
  const pool = new pg.Pool({ connectionString, options, pipeline: true } as pg.PoolConfig);
  let waiting: string[] = [];
  let isTelling = false;
  const tellAll = async (): Promise<void> => {
    isTelling = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await pool.query(notify(JSON.stringify(batch)));
      await sleep(MERGE_MS);
    }
    isTelling = false;
  };
  return {
    ask: (query) => pool.query(query),
    async use(work) {
      const client = await pool.connect();
      const { stream } = (client as unknown as Corked).connection;
      try {
        return await work((...queries) => {
          stream.cork();
          const answers = queries.map((query) => client.query(query as pg.QueryConfig));
          stream.uncork();
          return Promise.all(answers);
        });
      } finally {
        client.release();
      }
    },
    tell(change) {
      waiting.push(JSON.stringify(change));
      if (!isTelling) void tellAll();
    },
  };
}
