import type { Outcome, SqlSession, Work } from "@signalbox/adapters/kysely";
import { gatherMore } from "@signalbox/core/storage";
import { endTransaction, type SqliteHandle, sessionWithin, transactionLost } from "../file/handle.ts";
import { hostIsBusy, LONGEST_WAIT_MS, StillBusyError, whenFree } from "./busy.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { nextTurn } from "./turns.ts";

/**
 * Bounds of one group: how many transactions, and how many milliseconds of event loop time, share one flush. A group cannot be
 * interrupted: a host that writes to the same file on its own connection would block the event loop while it waits for a lock
 * that only a later turn releases.
 */
const GROUP_SIZE = 256;
const GROUP_MS = 5;
/** Writes acknowledged per turn: the code behind each answer runs in the same turn and costs more than the flush. */
const TOLD_IN_A_TURN = 16;

/** A write that waits for its turn. */
interface Job {
  /** When it stops waiting for a lock, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Starts the work, in the asynchronous context of its caller. */
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
 * Commits the writes of one turn of the event loop together, with one flush. Each write but the first runs under its own
 * savepoint, and each is acknowledged after the flush. `checkGroup` runs first in each transaction and may refuse it. While
 * another program holds the lock, each write waits for at most `waitMs`, however many writes are ahead of it.
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

/** Estimates the bytes sent to the database by the length of texts, since long values are texts. */
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
  /** Throws while another connection writes, or the host on this one. */
  begin(): void;
  commit(): void;
  rollBack(): void;
}

function createWriter(handle: SqliteHandle, changed: () => void): Writer {
  // True when our own transaction could not be ended, as rollbacks can fail on a bad disk. Transactions of the host do not count.
  let isLeftOpen = false;
  const rollBack = (): void => {
    endTransaction(handle, "rollback");
    isLeftOpen = handle.isTransaction();
    // Needed even when the claim on the file was lost: its new owner writes.
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

/** Runs a group. Never rejects: an error rejects the jobs of the group, and the next group starts afresh. */
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
    // The lock may be held by a transaction of the host on this same connection, which we must not roll back.
    if (hasBegun) rollBack();
    const refused = error instanceof StillBusyError ? countOverdue(jobs) : asked;
    for (const job of jobs.splice(0, refused)) job.reject(error);
    return;
  }
  const done: Done[] = [];
  try {
    await runJobs(handle, jobs, done);
    // Rolled-back pages of a savepoint still count as changed, so a commit would flush them for nothing.
    if (done.every((one) => "error" in one)) rollBack();
    else commit();
  } catch (error) {
    rollBack();
    for (const { job } of done) job.reject(error);
    return;
  }
  await acknowledge(done);
}

/** Number of jobs at the head of the queue whose waiting time is over: at least one, since its deadline ended the wait. */
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
    // When the first job fails, the whole transaction is rolled back: it holds nothing else.
    isSpoiled = done.push(one) === 1 && "error" in one;
  } while (!isSpoiled && jobs.length > 0 && done.length < GROUP_SIZE && performance.now() < deadline);
}

/** Throws only when the group as a whole is lost, after rejecting the job with the error. */
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
    // The work may have continued after the error that ended the transaction.
    if (!handle.isTransaction()) throw transactionLost();
    return { job, outcome };
  } catch (error) {
    // A full disk may have ended the whole transaction, which leaves nothing to roll back to.
    if (!handle.isTransaction()) throw error;
    return { job, error };
  }
}

async function acknowledge(done: readonly Done[]): Promise<void> {
  // All at once, so that the engine's memory never reflects only a part of the group.
  for (const one of done) if ("outcome" in one) one.outcome.committed();
  for (const [index, one] of done.entries()) {
    if (index > 0 && index % TOLD_IN_A_TURN === 0) await nextTurn();
    if ("error" in one) one.job.reject(one.error);
    else one.job.resolve(one.outcome.result);
  }
}
