import type { Connections } from "../connections.ts";
import { clientSession } from "../session.ts";
import type { Run } from "./lease.ts";

/** The server gives a statement up after this. */
const STATEMENT_MS = 3000;
/** A server that does not even say so cannot be reached. */
const ANSWER_MS = 4000;

/** A connection that does nothing but stand for an office and hold it. */
export interface Desk extends AsyncDisposable {
  readonly run: Run;
  /** Aborts when the connection is lost. */
  readonly gone: AbortSignal;
  /** The session's lock on all of these, or on none. */
  lock(offices: readonly string[]): Promise<boolean>;
  /** Gives all locks back. */
  unlock(): Promise<void>;
}

export async function openDesk({ connectAlone }: Connections, schema: string): Promise<Desk> {
  const client = await connectAlone("lead");
  const gone = new AbortController();
  client.once("end", () => gone.abort());
  const session = clientSession(client);
  const run: Run = async (sql, parameters = []) => {
    const asked = session.run({ sql, kept: false }, parameters);
    return inTime(asked, () => gone.abort());
  };
  const unlock = async (): Promise<void> => void (await run("select pg_advisory_unlock_all()"));
  await run(`set synchronous_commit = off; set statement_timeout = ${STATEMENT_MS}`);
  return {
    run,
    gone: gone.signal,
    async lock(offices) {
      const keys = offices.map((office) => `signalbox ${schema} office ${office}`);
      const sql = `select bool_and(won)::text as all from
        (select pg_try_advisory_lock(hashtextextended(key, 0)) as won from unnest($1::text[]) as key) as tried`;
      const { rows } = await run(sql, [keys]);
      if (rows[0]?.["all"] === "true") return true;
      // Half of them would keep the loops of the others from running anywhere.
      await unlock();
      return false;
    },
    unlock,
    async [Symbol.asyncDispose]() {
      gone.abort();
      await client.end();
    },
  };
}

/** Rejects, after it has called `late`, when there is no answer in time. */
function inTime<R>(asked: Promise<R>, late: () => void): Promise<R> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late();
    reject(new Error("The database does not answer"));
  }, ANSWER_MS);
  timer.unref();
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer));
}
