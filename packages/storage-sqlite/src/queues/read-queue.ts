import type { SqlSession, Work } from "@signalbox/adapters/kysely";
import { endTransaction, type SqliteHandle, transactionLost } from "../file/handle.ts";
import { whenFree } from "./busy.ts";
import { nextTurn } from "./turns.ts";

/** Milliseconds of event loop time for the reads of one turn. */
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
 * Runs reads one after another on their own connection. Reads requested together share one snapshot, taken at the first statement
 * of the first of them; later reads wait for the next snapshot, so that no answer is older than its question. Reads that do not
 * fit into one turn of the event loop continue in the next one with a new snapshot: an open snapshot would keep the log from
 * being copied back into the file.
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

/** Returns how many ran. Never rejects: a failing statement fails only its own read. */
async function runGroup(handle: SqliteHandle, group: readonly Job[]): Promise<number> {
  const deadline = performance.now() + TURN_MS;
  // Ends a snapshot that could not be ended before: reads would use it forever.
  endTransaction(handle, "rollback");
  let ran = 0;
  for (const job of group) {
    await job.run(snapshotOf(handle));
    ran += 1;
    if (performance.now() > deadline) break;
  }
  // The reads are answered already, so a failing commit (as on damaged files) takes nothing back.
  endTransaction(handle, "commit");
  return ran;
}

/** The snapshot of a group, as one of its reads sees it: unusable once SQLite has ended it because of an error. */
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
      // The first statement takes the snapshot, and may find the file locked during recovery.
      return whenFree(() => handle.run(sql, parameters));
    },
  };
}
