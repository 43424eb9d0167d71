import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Worker } from "node:worker_threads";
import { createGzip } from "node:zlib";
import type { StorageUpkeep } from "@signalbox/core/storage";

/** Daily backups of the database. */
export interface BackupOptions {
  /** Folder of the backups; default: `<file>.backups`. */
  readonly folder?: string;
  /** Number of backups to keep: default 7; 0 = none are made. */
  readonly keep?: number;
}

const NAME = /^\d{4}-\d\d-\d\d\.db\.gz$/;
const PART = /^\d{4}-\d\d-\d\d\.db\.part/;
const DAY = "YYYY-MM-DD";
const KEEP = 7;

/** Long work on the file runs in its own thread on its own read-only connection: the host's writers do not wait for readers. */
export function sqliteUpkeep(
  file: string,
  { folder = `${file}.backups`, keep = KEEP }: BackupOptions = {},
): StorageUpkeep {
  return {
    size: async () => (await sizeOf(file)) + (await sizeOf(`${file}-wal`)),
    async optimize(tell, signal) {
      const { errors, pages, free, pageSize } = await inThread<Checked>(CHECK, { file }, signal);
      tell(errors.length === 0 ? "Integrity check: no errors." : `Integrity check: ${errors.join("; ")}`);
      const megabytes = (count: number): string => ((count * pageSize) / 1_048_576).toFixed(1);
      tell(`The file has ${megabytes(pages)} MB, of which ${megabytes(free)} MB are free and filled before it grows.`);
      tell("It is not made smaller while it is in use: nothing could be written meanwhile.");
    },
    async backup(day, signal) {
      if (keep === 0) return undefined;
      await mkdir(folder, { recursive: true });
      await removeParts(folder);
      const [copy, target] = [join(folder, `${day}.db.part`), join(folder, `${day}.db.gz`)];
      try {
        // A backup gets the permissions of the file: SQLite and `pipeline` would make it readable for everybody.
        const mode = ((await stat(file)).mode & 0o777) | 0o600;
        await writeFile(copy, "", { mode, flag: "wx" });
        await inThread(COPY, { file, copy }, signal);
        const packed = createWriteStream(`${copy}.gz`, { mode, flush: true });
        await pipeline(createReadStream(copy), createGzip({ level: 4 }), packed, { signal });
        await rename(`${copy}.gz`, target);
      } finally {
        await removeParts(folder);
      }
      const { upTo, later } = await copiesIn(folder, day);
      const copies = [...later, ...upTo];
      for (const old of copies.slice(0, Math.max(0, copies.length - keep)))
        await rm(join(folder, old), { force: true });
      return target;
    },
    newestBackup: async (day) => (await copiesIn(folder, day)).upTo.at(-1)?.slice(0, DAY.length),
  };
}

/** Removes unfinished parts of this backup and of one that the end of a process cut off: each is as large as the file. */
async function removeParts(folder: string): Promise<void> {
  const parts = (await readdir(folder)).filter((name) => PART.test(name));
  for (const part of parts) await rm(join(folder, part), { force: true });
}

/** Names of the copies, the oldest first. A later day than this one is of a clock that was ahead. */
async function copiesIn(folder: string, day: string): Promise<{ readonly upTo: string[]; readonly later: string[] }> {
  try {
    const copies = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted();
    const isLater = (name: string): boolean => name.slice(0, DAY.length) > day;
    return { upTo: copies.filter((name) => !isLater(name)), later: copies.filter(isLater) };
  } catch (error) {
    // The first copy makes the folder.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { upTo: [], later: [] };
    throw error;
  }
}

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    // A database without writes has no write-ahead log.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
};

interface Checked {
  readonly errors: readonly string[];
  readonly pages: number;
  readonly free: number;
  readonly pageSize: number;
}

/** The source of the thread's programs, inlined: a separate file would have to be located wherever the package is bundled. */
const OPEN = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const db = new DatabaseSync(workerData.file, { readOnly: true });
const number = (pragma) => Object.values(db.prepare("pragma " + pragma).get())[0];
`;
const CHECK = `${OPEN}
const rows = db.prepare("pragma integrity_check(20)").all().map((row) => String(row.integrity_check));
parentPort.postMessage({
  errors: rows.filter((row) => row !== "ok"),
  pages: number("page_count"), free: number("freelist_count"), pageSize: number("page_size"),
});
`;
const COPY = `${OPEN}
db.prepare("vacuum into ?").run(workerData.copy);
parentPort.postMessage({});
`;

/** Runs a program in a thread; rejects with its error, or when the signal ends it. */
async function inThread<T>(program: string, workerData: object, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const worker = new Worker(program, { eval: true, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The thread of the database ended with ${code}`)));
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}
