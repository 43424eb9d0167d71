import type { Carrier } from "../news/carrier.ts";
import type { Connections } from "../sessions/connections.ts";
import { clientSession } from "../sessions/session.ts";
import { hangUp, inTime } from "../sessions/silent.ts";
import type { Run } from "./lease.ts";

/** Statement timeout on the server. */
const STATEMENT_MS = 3000;
const SETTINGS = `set synchronous_commit = off; set statement_timeout = ${STATEMENT_MS}`;

/** `pg_locks` shows a 64-bit key in two halves. */
const EVICT = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and pid <> pg_backend_pid() and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0)`;

/** A connection used only to stand for an office and to hold it. */
export interface Desk extends AsyncDisposable {
  readonly run: Run;
  /** Aborts when the connection is lost. */
  readonly gone: AbortSignal;
  /** False where the session serves other clients as well: its locks would be held for all of them and outlive the connection. */
  readonly canLock: boolean;
  /** Takes the session's lock on all of these offices, or on none. */
  lock(offices: readonly string[]): Promise<boolean>;
  /** Releases all locks. */
  unlock(): Promise<void>;
  /** Ends the session that still locks an office whose lease has passed to another node: its process has stalled. */
  evict(office: string): Promise<void>;
}

interface DeskDeps {
  readonly connections: Connections;
  readonly schema: string;
  readonly carrier: Pick<Carrier, "polls">;
}

export async function openDesk({ connections, schema, carrier }: DeskDeps): Promise<Desk> {
  const client = await connections.connectAlone("lead");
  const gone = new AbortController();
  client.once("end", () => gone.abort());
  const session = clientSession(client);
  const run: Run = async (sql, parameters = []) => {
    return inTime(client, session.run({ sql, kept: false }, parameters));
  };
  const canLock = !carrier.polls;
  const keyOf = (office: string): string => `signalbox ${schema} office ${office}`;
  const unlock = async (): Promise<void> => {
    if (canLock) await run("select pg_advisory_unlock_all()");
  };
  // Otherwise each failed attempt would leave a connection behind.
  if (canLock) await run(SETTINGS).catch((error: unknown) => hangUp(client).then(() => Promise.reject(error)));
  return {
    run,
    gone: gone.signal,
    canLock,
    async lock(offices) {
      if (!canLock) return false;
      const sql = `select bool_and(won)::text as all from
        (select pg_try_advisory_lock(hashtextextended(key, 0)) as won from unnest($1::text[]) as key) as tried`;
      const { rows } = await run(sql, [offices.map(keyOf)]);
      if (rows[0]?.["all"] === "true") return true;
      // Holding only some of the locks would keep the other nodes from running those loops anywhere.
      await unlock();
      return false;
    },
    unlock,
    evict: async (office) => void (await run(EVICT, [keyOf(office)])),
    async [Symbol.asyncDispose]() {
      gone.abort();
      await hangUp(client);
    },
  };
}
