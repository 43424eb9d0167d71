import type { SqlSession, Work } from "@signalbox/adapters/kysely";
import { whenFree } from "./busy.ts";
import type { SqliteHandle } from "./handle.ts";

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
 * taken at the first statement of the first of them; later ones wait for the next snapshot, so that nobody sees
 * anything older than his question.
 */
export function createReadQueue(handle: SqliteHandle): ReadQueue {
  let jobs: Job[] = [];
  let draining: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    await undefined;
    while (jobs.length > 0) {
      const group = jobs;
      jobs = [];
      await runGroup(handle, group);
    }
    draining = undefined;
  };

  return {
    read: <R>(work: Work<R>) =>
      new Promise<R>((resolve, reject) => {
        jobs.push({ run: (session) => work(session).then(resolve, reject) });
        draining ??= drain();
      }),
    async idle() {
      while (draining !== undefined) await draining;
    },
  };
}

async function runGroup(handle: SqliteHandle, group: readonly Job[]): Promise<void> {
  const session: SqlSession = {
    isSnapshot: true,
    async run({ sql }, parameters) {
      if (!handle.isTransaction()) handle.run("begin", []);
      // The first statement takes the snapshot, and may find the file locked while it is being recovered.
      return whenFree(() => handle.run(sql, parameters));
    },
  };
  for (const job of group) await job.run(session);
  if (handle.isTransaction()) handle.run("commit", []);
}
