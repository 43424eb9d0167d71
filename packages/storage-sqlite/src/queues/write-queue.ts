import type { Outcome, SqlSession, Work } from "@signalbox/adapters/kysely";
import { gatherMore } from "@signalbox/core/storage";
import { endTransaction, type SqliteHandle, sessionWithin, transactionLost } from "../file/handle.ts";
import { hostIsBusy, LONGEST_WAIT_MS, StillBusyError, whenFree } from "./busy.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { nextTurn } from "./turns.ts";

/**
 * Bounds of one group: how many transactions and how much loop time share one flush. A group cannot be interrupted: a
 * host that writes to the same file by a connection of its own would wait, with its loop, for a lock that only a later
 * turn of the loop gives back.
 */
const GROUP_SIZE = 256;
const GROUP_MS = 5;
/**
 * Writes that are answered in one turn: the code behind an answer runs in the same turn, and costs more than the flush.
 */
const TOLD_IN_A_TURN = 16;

/** A write that waits for its turn. */
interface Job {
  /** The time until which it waits for a lock, in the milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Lets the work run, in the asynchronous context of its caller. */
  readonly grant: () => void;
  readonly worked: Promise<Outcome<unknown>>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Done = { readonly job: Job; readonly outcome: Outcome<unknown> } | { readonly job: Job; readonly error: unknown };

export interface WriteQueue {
  write<R>(work: Work<Outcome<R>>): Promise<R>;
  /** Resolves when everything asked for so far has ended. */
  idle(): Promise<void>;
}

interface QueueOptions {
  /** Milliseconds that a write waits for the lock of another program. */
  readonly waitMs?: number;
  readonly checkpoints?: Pick<Checkpoints, "committed"> | undefined;
  /** Called after each transaction, before its writes are answered. */
  readonly changed?: () => void;
}

/**
 * Commits the writes of one turn of the event loop together: one flush for all of them, each but the first under its
 * own
 * savepoint, each acknowledged after the flush. `checkGroup` runs first in each transaction and may refuse it. While
 * another program holds the lock, each waits for `waitMs` and no longer, with any number of writes before it.
 */
export function createWriteQueue(
  handle: SqliteHandle,
  checkGroup: () => void,
  { waitMs = LONGEST_WAIT_MS, checkpoints, changed = () => undefined }: QueueOptions = {},
): WriteQueue {
  const jobs: Job[] = [];
  const { session, takeBytes } = measured(sessionWithin(handle));
  const writer = createWriter(handle, changed);
  let draining: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    while (jobs.length > 0) {
      await gatherMore(jobs);
      await runGroup(writer, jobs, checkGroup);
      await checkpoints?.committed(takeBytes());
    }
    draining = undefined;
  };

  return {
    write: <R>(work: Work<Outcome<R>>) =>
      new Promise<R>((resolve, reject) => {
        const { promise: turn, resolve: grant } = Promise.withResolvers<void>();
        const worked = turn.then(() => work(session));
        const deadline = performance.now() + waitMs;
        jobs.push({ deadline, grant, worked, resolve: resolve as (result: unknown) => void, reject });
        draining ??= drain();
      }),
    async idle() {
      while (draining !== undefined) await draining;
    },
  };
}

/** Counts bytes to the database by the length of texts, since long values are texts. */
function measured(inner: SqlSession): { readonly session: SqlSession; takeBytes(): number } {
  let bytes = 0;
  return {
    session: {
      run(statement, parameters) {
        for (const value of parameters) if (typeof value === "string") bytes += value.length;
        return inner.run(statement, parameters);
      },
    },
    takeBytes() {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
  };
}

interface Writer {
  readonly handle: SqliteHandle;
  /** Throws while another connection writes, the host on the same one included. */
  begin(): void;
  commit(): void;
  rollBack(): void;
}

function createWriter(handle: SqliteHandle, changed: () => void): Writer {
  // A transaction of ours that could not be ended, as rollbacks fail on a bad disk: the host's are its own business.
  let isLeftOpen = false;
  const rollBack = (): void => {
    endTransaction(handle, "rollback");
    isLeftOpen = handle.isTransaction();
    // Also where the claim on the file was lost: its new owner writes.
    changed();
  };
  return {
    handle,
    begin() {
      if (isLeftOpen) rollBack();
      if (handle.isTransaction()) throw hostIsBusy();
      handle.run("begin immediate", []);
    },
    commit() {
      handle.run("commit", []);
      changed();
    },
    rollBack,
  };
}

/** Runs a group; never rejects: an error belongs to the jobs of the group, and the next group begins anew. */
async function runGroup(
  { begin, commit, handle, rollBack }: Writer,
  jobs: Job[],
  checkGroup: () => void,
): Promise<void> {
  const asked = jobs.length;
  let hasBegun = false;
  try {
    await whenFree(begin, jobs[0]?.deadline);
    hasBegun = true;
    checkGroup();
  } catch (error) {
    // The lock waited for in vain may be a transaction of the host on the same connection.
    if (hasBegun) rollBack();
    const refused = error instanceof StillBusyError ? countOverdue(jobs) : asked;
    for (const job of jobs.splice(0, refused)) job.reject(error);
    return;
  }
  const done: Done[] = [];
  try {
    await runJobs(handle, jobs, done);
    // Pages that a savepoint took back count as changed, so a commit would flush them for nothing.
    if (done.every((one) => "error" in one)) rollBack();
    else commit();
  } catch (error) {
    rollBack();
    for (const { job } of done) job.reject(error);
    return;
  }
  await acknowledge(done);
}

/**
 * Jobs at the head of the queue that have waited for as long as they may: one at least, by whose time it was waited.
 */
function countOverdue(jobs: readonly Job[]): number {
  const now = performance.now();
  const first = jobs.findIndex(({ deadline }) => deadline > now);
  return first === -1 ? jobs.length : first;
}

/** Runs jobs of the queue within the bounds of a group. Throws when the group as a whole is lost. */
async function runJobs(handle: SqliteHandle, jobs: Job[], done: Done[]): Promise<void> {
  const deadline = performance.now() + GROUP_MS;
  let isSpoiled = false;
  do {
    const job = jobs.shift();
    if (!job) return;
    const one = await runJob(handle, job, done.length > 0);
    // With the first, the transaction is taken back: nothing else is in it.
    isSpoiled = done.push(one) === 1 && "error" in one;
  } while (!isSpoiled && jobs.length > 0 && done.length < GROUP_SIZE && performance.now() < deadline);
}

/** Throws, once the job has its error, only when the group as a whole is lost. */
async function runJob(handle: SqliteHandle, job: Job, hasOthers: boolean): Promise<Done> {
  try {
    return hasOthers ? await runUnderSavepoint(handle, job) : await runItem(handle, job);
  } catch (error) {
    job.reject(error);
    throw error;
  }
}

async function runUnderSavepoint(handle: SqliteHandle, job: Job): Promise<Done> {
  handle.run("savepoint sb_item", []);
  const done = await runItem(handle, job);
  if ("error" in done) handle.run("rollback to savepoint sb_item", []);
  handle.run("release savepoint sb_item", []);
  return done;
}

async function runItem(handle: SqliteHandle, job: Job): Promise<Done> {
  try {
    job.grant();
    const outcome = await job.worked;
    // Work may go on after the error that ended the transaction.
    if (!handle.isTransaction()) throw transactionLost();
    return { job, outcome };
  } catch (error) {
    // A full disk may have ended the whole transaction: then there is nothing left to roll back to.
    if (!handle.isTransaction()) throw error;
    return { job, error };
  }
}

async function acknowledge(done: readonly Done[]): Promise<void> {
  // All at once, so that the engine's memory never has a part of a group ahead of the rest.
  for (const one of done) if ("outcome" in one) one.outcome.committed();
  for (const [index, one] of done.entries()) {
    if (index > 0 && index % TOLD_IN_A_TURN === 0) await nextTurn();
    if ("error" in one) one.job.reject(one.error);
    else one.job.resolve(one.outcome.result);
  }
}
