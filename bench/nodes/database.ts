/** Figures of a PostgreSQL server: its own statistics, and the cost of its processes. */
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

const TICKS_A_SECOND = 100;

export interface Database extends AsyncDisposable {
  /** Processor time of all processes of the server so far, including ended ones, in milliseconds. */
  cpuMs(): number;
  /** Other connections to this database. */
  connections(): Promise<number>;
  /** Bytes that the whole server has written to its log so far. */
  logBytes(): Promise<number>;
  /**
   * Samples of satellites stored for this minute and later ones; `minute` is the number of the minute since 1970. Hours that
   * ended more than five minutes ago are packed and not counted.
   */
  storedSince(minute: number): Promise<number>;
}

/** Fields of `/proc/<pid>/stat` after the name, which may contain spaces. */
const statOf = (pid: string): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");

function ticksOf(pid: string): number {
  try {
    const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
    return user + system;
  } catch {
    // The process has ended since the list was read; its parent's figure now includes it.
    return 0;
  }
}

function isChildOf(parent: string, pid: string): boolean {
  try {
    return statOf(pid)[1] === parent;
  } catch {
    return false;
  }
}

/** `url` must point to a server on this machine. */
export async function openDatabase(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url });
  // After a failure elsewhere the server may end first; that failure is reported, not the lost connection.
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const first = String(statOf(String(rows[0]?.pid))[1]);
  return {
    cpuMs() {
      const [userOfEnded = 0, systemOfEnded = 0] = statOf(first).slice(13, 15).map(Number);
      const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isChildOf(first, name));
      const ticks = [first, ...children].reduce((sum, pid) => sum + ticksOf(pid), userOfEnded + systemOfEnded);
      return (ticks * 1000) / TICKS_A_SECOND;
    },
    async connections() {
      const { rows: found } = await client.query<{ count: string }>(
        "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      return Number(found[0]?.count);
    },
    async logBytes() {
      const { rows: found } = await client.query<{ bytes: string }>(
        "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes",
      );
      return Number(found[0]?.bytes);
    },
    async storedSince(minute) {
      const { rows: found } = await client.query<{ count: string }>(
        `select count(*) from signalbox.sb_history_journal
         where system = 'hourly' and bucket >= $1 and server ~ '^n[0-9]+x'`,
        [minute],
      );
      return Number(found[0]?.count);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
