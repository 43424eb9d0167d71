/** What a PostgreSQL says of itself, and what its processes cost. */
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

const TICKS_A_SECOND = 100;

export interface Database extends AsyncDisposable {
  /** Processor time of all processes of the server so far, ended ones included. Milliseconds. */
  cpuMs(): number;
  /** Connections of others to this database. */
  connections(): Promise<number>;
  /** Transactions that committed so far, bytes of the log of the whole server, and minutes of servers that are stored. */
  counts(): Promise<{ readonly commits: number; readonly logBytes: number; readonly minutes: number }>;
}

/** Fields of `/proc/<pid>/stat` behind the name, which may hold blanks. */
const statOf = (pid: string): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");

function ticksOf(pid: string): number {
  try {
    const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
    return user + system;
  } catch {
    // It has ended since the list was read; then the first process counts it.
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

/** `url` is one of a server on this machine. */
export async function openDatabase(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url });
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
    async counts() {
      const { rows: found } = await client.query<{ commits: string; bytes: string; minutes: string }>(
        `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
                pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes,
                (select count(*) from signalbox.sb_history_journal where system = 'hourly') as minutes`,
      );
      const [counts] = found;
      return {
        commits: Number(counts?.commits),
        logBytes: Number(counts?.bytes),
        minutes: Number(counts?.minutes),
      };
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
