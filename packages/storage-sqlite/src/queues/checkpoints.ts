import { Worker } from "node:worker_threads";
import type { Logger } from "@signalbox/core/adapter";
import type { SqliteHandle } from "../file/handle.ts";

/**
 * Pages in the write-ahead log at which it is copied into the file. A copy writes each page once, however often it changed since
 * the last copy: at SQLite's default of 1,000 pages, a busy line of jobs has many pages copied again and again.
 */
const COPIED_AT = 2000;
/** Pages at which SQLite itself copies the log, within a commit, if the thread falls behind. */
const LEFT_TO_SQLITE = 16_000;
/** The same after the thread has failed, and the pages after which another one is tried. */
const WITHOUT_THREAD = 4000;
const PAGE_BYTES = 4096;
/** Pages of indexes and of the tree above a row, which each commit writes in addition to the rows. */
const PAGES_OF_A_COMMIT = 8;
/** The thread exits after being idle for this long: it holds a few megabytes. */
const IDLE_MS = 10_000;

export interface Checkpoints {
  /** Counts a commit by the bytes of its parameters. The next commit must wait for the returned promise. */
  committed(bytes: number): Promise<void> | undefined;
  close(): Promise<void>;
}

/**
 * Copies the write-ahead log into the file on its own thread. SQLite does it within the commit that reaches the threshold:
 * copying 16 MB blocked the host's event loop for 70 ms. The thread works in two steps: commits continue during the first and
 * wait for the second, which copies the pages added since, because only a completely copied log starts over.
 */
export function createCheckpoints(writer: SqliteHandle & { readonly file: string }, log: Logger): Checkpoints {
  let pages = 0;
  let step: "none" | "copying" | "copied" = "none";
  let hasFailed = false;
  const letSqliteCopy = (at: number): void => void writer.run(`pragma wal_autocheckpoint = ${at}`, []);
  const begin = (): void => {
    step = "none";
    pages = 0;
  };
  const thread = createThread(writer.file, (error) => {
    if (!hasFailed) log.warn({ error }, "The write-ahead log is copied within commits: its thread failed");
    hasFailed = true;
    letSqliteCopy(WITHOUT_THREAD);
    begin();
  });
  const copyRest = async (): Promise<void> => {
    // The disk that was full, for example, has room again.
    if (hasFailed) letSqliteCopy(LEFT_TO_SQLITE);
    hasFailed = false;
    begin();
    await thread.copy();
  };
  letSqliteCopy(LEFT_TO_SQLITE);
  return {
    committed(bytes) {
      pages += PAGES_OF_A_COMMIT + bytes / PAGE_BYTES;
      if (step === "copied") return copyRest();
      if (step === "none" && pages >= (hasFailed ? WITHOUT_THREAD : COPIED_AT)) {
        step = "copying";
        void thread.copy().then(() => {
          if (step === "copying") step = "copied";
        });
      }
      return undefined;
    },
    close: thread.end,
  };
}

interface Thread {
  /** Resolves, and never rejects, when the thread has finished or failed. */
  copy(): Promise<void>;
  end(): Promise<void>;
}

function createThread(file: string, failed: (error: unknown) => void): Thread {
  let worker: Worker | undefined;
  let done: (() => void) | undefined;
  const begin = (): Worker => {
    const begun = new Worker(PROGRAM, { eval: true, workerData: { file, idleMs: IDLE_MS }, execArgv: [] });
    begun.unref();
    begun.on("message", () => done?.());
    begun.on("error", (error) => {
      // After the end the writer must not be used.
      if (worker === begun) failed(error);
    });
    begun.on("exit", () => {
      if (worker === begun) worker = undefined;
      done?.();
    });
    return begun;
  };
  return {
    copy() {
      const { promise, resolve } = Promise.withResolvers<void>();
      done = resolve;
      try {
        worker ??= begin();
        worker.postMessage("copy");
      } catch (error) {
        // No thread could be started: the system has none left, or Node's permissions allow none.
        failed(error);
        resolve();
      }
      return promise;
    },
    async end() {
      const ended = worker;
      worker = undefined;
      await ended?.terminate();
    },
  };
}

/** The source of the thread's program, inlined: a separate file would have to be located wherever the package is bundled. */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const db = new DatabaseSync(workerData.file, { timeout: 0 });
const copy = db.prepare("pragma wal_checkpoint(passive)");
let idle;
parentPort.on("message", () => {
  clearTimeout(idle);
  copy.all();
  parentPort.postMessage("copied");
  idle = setTimeout(() => { db.close(); process.exit(0); }, workerData.idleMs);
});
`;
