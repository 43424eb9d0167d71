import { Worker } from "node:worker_threads";
import type { Logger } from "@signalbox/core/adapter";
import type { SqliteHandle } from "../file/handle.ts";

/**
 * Pages of the write-ahead log after which it is copied into the file. A page is copied once, even if it was written
 * often
 * since the last time: with the usual 1,000 a busy queue of jobs writes many of them again and again.
 */
const COPIED_AT = 2000;
/** Pages at which SQLite copies by itself, within a commit, should the thread fall behind or be absent. */
const LEFT_TO_SQLITE = 16_000;
const WITHOUT_THREAD = 4000;
const PAGE_BYTES = 4096;
/** Pages of indexes and of the tree above a row, which each commit writes beside the rows. */
const PAGES_OF_A_COMMIT = 8;
/** The thread ends when it has nothing to do for so long: it holds a few megabytes. */
const IDLE_MS = 10_000;

export interface Checkpoints {
  /** Counts a commit by the bytes of its parameters. The next commit waits for the answered promise. */
  committed(bytes: number): Promise<void> | undefined;
  close(): Promise<void>;
}

/**
 * Copies the write-ahead log into the file from a thread of its own. In the commit that reached the bound, as SQLite
 * does it, the copying of 16 MB held the loop of the host for 70 ms. It takes two steps: commits go on during the
 * first,
 * and wait for the second, which copies the pages since then: only a log that is copied whole begins anew.
 */
export function createCheckpoints(writer: SqliteHandle & { readonly file: string }, log: Logger): Checkpoints {
  let pages = 0;
  let step: "none" | "copying" | "copied" | "failed" = "none";
  const thread = createThread(writer.file, (error) => {
    log.warn({ error }, "The write-ahead log is copied within commits: its thread failed");
    writer.run(`pragma wal_autocheckpoint = ${WITHOUT_THREAD}`, []);
    step = "failed";
  });
  const copyRest = async (): Promise<void> => {
    step = "none";
    pages = 0;
    await thread.copy();
  };
  writer.run(`pragma wal_autocheckpoint = ${LEFT_TO_SQLITE}`, []);
  return {
    committed(bytes) {
      pages += PAGES_OF_A_COMMIT + bytes / PAGE_BYTES;
      if (step === "copied") return copyRest();
      if (step === "none" && pages >= COPIED_AT) {
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
  /** Resolves, and never rejects, when the thread is through with it or has failed. */
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
        // The system has no thread left, or Node's permissions allow none.
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

/**
 * The program of the thread, as a text: a file of its own would have to be found wherever the package is bundled into.
 */
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
