import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { isMainThread } from "node:worker_threads";
import type { Clock } from "@signalbox/core/adapter";
import type { SqliteHandle } from "./handle.ts";

const LEASE_SEC = 30;
export const RENEW_MS = 10_000;

/** Enough about a process to tell whether it still runs. */
interface Process {
  readonly pid: number;
  /** Start time in ticks since boot; empty where the system does not report it. */
  readonly started: string;
  readonly host: string;
  /** Changes with every boot; empty where the system does not report it. */
  readonly boot: string;
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // Not Linux, or no such process: there is nothing to compare with.
    return "";
  }
};

/** The program name may contain spaces and parentheses; the fields counted here come after it. */
const startOf = (pid: number): string => {
  const status = readText(`/proc/${pid}/stat`);
  return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
};

const thisProcess = (): Process => ({
  pid: process.pid,
  started: startOf(process.pid),
  host: hostname(),
  boot: readText("/proc/sys/kernel/random/boot_id"),
});

/** Whether a process is certainly dead: a process on another machine cannot be checked. */
function isDead(other: Process, self: Process): boolean {
  if (other.host !== self.host) return false;
  if (other.boot !== self.boot) return true;
  if (other.pid === self.pid) return other.started === "" || other.started !== self.started;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  return other.started !== "" && startOf(other.pid) !== other.started;
}

/**
 * Another engine has the file open. Its code makes the start of a worker thread wait for an engine of the same process: servers
 * for development start a new thread while the former one still stops its engine.
 */
export class InUseError extends Error {
  readonly code: string;
  constructor(other: Process, self: Process, ageSec: number) {
    const isSelf = other.host === self.host && other.boot === self.boot && other.pid === self.pid;
    super(inUse(other, isSelf, ageSec));
    this.code = isSelf && !isMainThread ? "SQLITE_BUSY" : "in_use";
  }
}

/** The error message for a file that another engine has open, with the ways to proceed. */
function inUse(other: Process, isSelf: boolean, ageSec: number): string {
  if (isSelf)
    return "The database is in use by this process itself: another engine in it has the file open. Stop that one first, or give each a file of its own.";
  const owner = `process ${other.pid} on ${other.host}, which renewed its claim ${ageSec} s ago`;
  return `The database is in use by ${owner}. A file of SQLite is for one process: stop the other one, or let several processes share a PostgreSQL. Of a process that died on another machine the claim ends after ${LEASE_SEC} s.`;
}

export interface Ownership {
  /** Throws when the file is gone or another process has taken over the database. Runs inside a transaction. */
  check(): void;
  renew(): void;
  release(): void;
}

/**
 * Checks that the file is still in place. SQLite itself does not: a removed or replaced file accepts every write and vanishes
 * with the process. Costs 1.5 µs for each group of writes.
 */
function stillThere(file: string | undefined): () => void {
  if (file === undefined) return () => undefined;
  const inode = inodeOf(file);
  return () => {
    if (inodeOf(file) !== inode)
      throw Object.assign(new Error(`The database file ${file} was removed or replaced`), { code: "SQLITE_IOERR" });
  };
}

const inodeOf = (file: string): bigint | undefined => statSync(file, { throwIfNoEntry: false, bigint: true })?.ino;

/**
 * Claims the file for this storage alone, inside a transaction. Throws `InUseError` when another storage renewed its claim within
 * 30 s and is not known to be dead.
 */
export function takeOwnership(handle: SqliteHandle, clock: Clock): Ownership {
  const self = thisProcess();
  handle.run(
    `create table if not exists sb_owner (one integer primary key, token text not null, pid integer not null,
      started text not null, host text not null, boot text not null, renewed real not null)`,
    [],
  );
  const [row] = handle.run("select * from sb_owner", []).rows;
  const now = clock.now();
  if (row) {
    const other = row as unknown as Process & { readonly renewed: number };
    const age = now - other.renewed;
    // A stamp from the future means that the clock was set back: it counts as fresh.
    if (age < LEASE_SEC && !isDead(other, self)) throw new InUseError(other, self, Math.max(0, Math.round(age)));
  }
  const token = randomUUID();
  const checkFile = stillThere(handle.file);
  handle.run("insert or replace into sb_owner values (1, ?, ?, ?, ?, ?, ?)", [
    token,
    self.pid,
    self.started,
    self.host,
    self.boot,
    now,
  ]);
  return {
    check() {
      checkFile();
      const [owner] = handle.run("select token from sb_owner", []).rows;
      if (owner?.["token"] !== token) throw new Error("The database has been taken over by another process");
    },
    renew: () => void handle.run("update sb_owner set renewed = ? where token = ?", [clock.now(), token]),
    release: () => void handle.run("delete from sb_owner where token = ?", [token]),
  };
}
