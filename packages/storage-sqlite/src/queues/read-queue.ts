import type { SqlSession, Work } from "@signalbox/adapters/kysely";
import { endTransaction, type SqliteHandle, transactionLost } from "../file/handle.ts";
import { whenFree } from "./busy.ts";
import { nextTurn } from "./turns.ts";

/** Loop time of the reads of one turn. */
const TURN_MS = 4;

interface Job {
  readonly run: (session: SqlSession) => Promise<void>;
}

export interface ReadQueue {
  read<R>(work: Work<R>): Promise<R>;
  /** Resolves when everything asked for so far has ended. */
  idle(): Promise<void>;
}

/**
 * Runs reads on a connection of their own, one after another. Reads asked for together share one snapshot, which is
 * taken at the first statement of the first of them; later ones wait for the next snapshot, so that no answer is older
 * than its question. Reads that do not fit into one turn of the loop go on in the next one with a snapshot of their
 * own: an open snapshot would keep the log from being copied back into the file.
 */
export function createReadQueue(handle: SqliteHandle): ReadQueue {
  let jobs: Job[] = [];
  let draining: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    await undefined;
    while (jobs.length > 0) {
      const group = jobs;
      jobs = [];
      const ran = await runGroup(handle, group);
      if (ran === group.length) continue;
      jobs = [...group.slice(ran), ...jobs];
      await nextTurn();
    }
    draining = undefined;
  };

  return {
    read: <R>(work: Work<R>) =>
      new Promise<R>((resolve, reject) => {
        jobs.push({ run: async (session) => work(session).then(resolve, reject) });
        draining ??= drain();
      }),
    async idle() {
      while (draining !== undefined) await draining;
    },
  };
}

/** Answers how many ran. Never rejects: a statement that fails fails its own read. */
async function runGroup(handle: SqliteHandle, group: readonly Job[]): Promise<number> {
  const deadline = performance.now() + TURN_MS;
  // A snapshot that could not be ended would be read from for ever.
  endTransaction(handle, "rollback");
  let ran = 0;
  for (const job of group) {
    await job.run(snapshotOf(handle));
    ran += 1;
    if (performance.now() > deadline) break;
  }
  // The reads are answered already, so an end that fails (it does on damaged files) takes nothing back.
  endTransaction(handle, "commit");
  return ran;
}

/** The snapshot of a group, as one of its reads sees it: gone for good when SQLite ends it because of an error. */
function snapshotOf(handle: SqliteHandle): SqlSession {
  let hasRead = false;
  return {
    isSnapshot: true,
    async run({ sql }, parameters) {
      if (!handle.isTransaction()) {
        if (hasRead) throw transactionLost();
        handle.run("begin", []);
      }
      hasRead = true;
      // The first statement takes the snapshot, and may find the file locked while it is being recovered.
      return whenFree(() => handle.run(sql, parameters));
    },
  };
}
