import { AsyncResource } from "node:async_hooks";
import { nextTick } from "node:process";
import { createBatches } from "../../lib/turns/batches.ts";
import { settleAll } from "../../lib/turns/settle-all.ts";
import type { Collection, CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { Storage, WriteTx } from "../../ports/storage/storage.ts";
import type { Timeline } from "../../ports/storage/timeline.ts";
import { SignalboxError, storageErrorIn } from "../errors/errors.ts";

/** The work could not share its transaction, and none of it was stored: run it again in its own transaction. */
export class AloneError extends Error {}

/** The work itself needs its own transaction; any other `AloneError` means that other work spoiled the shared one. */
class OwnNeedError extends AloneError {}

export interface SharedWrites {
  /**
   * Like `storage.write`, but in one transaction with the concurrent work of other callers, interleaved with theirs. The work may
   * therefore only read, insert and take numbers: an update of a record or a lock throws `AloneError`, and the caller runs the work
   * again alone. Work that is refused (`SignalboxError`) before its first write does not affect the others; any other failure
   * rolls all of them back, and each caller gets an `AloneError`, or the storage's own error if that stayed locked or failed at
   * the commit.
   */
  write<R>(kind: string, work: (tx: WriteTx) => Promise<R>): Promise<R>;
  /** False while work of this kind should run alone from the start, because some of it recently had to. */
  suits(kind: string): boolean;
}

type Work = (tx: WriteTx) => Promise<unknown>;

interface Member {
  readonly work: Work;
  /** The asynchronous context of the caller; storages run work in it too. */
  readonly context: AsyncResource;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Most callers per transaction, which share its begin, commit and flush; with more, the first would wait for the last. */
const MAX_SHARING = 64;
/** Two transactions at once: one is written while the next is collected. */
const AT_ONCE = 2;
/** Calls of a kind that run alone before the next one tries to share again. */
const TRIES_LEFT_OUT = 100;
const MAX_KINDS = 10_000;

/**
 * Measured with jobs on PostgreSQL, 200 at once: 960 a second with a transaction for each launch (three writes to a socket were a
 * third of all processor time), 1,780 with shared ones.
 */
export function createSharedWrites(storage: Pick<Storage, "write">): SharedWrites {
  const add = createBatches<Member>((batch) => runBatch(storage, batch), { size: MAX_SHARING, atOnce: AT_ONCE });
  const leftOut = new Map<string, number>();
  const learn = (kind: string, error: unknown): never => {
    if (error instanceof OwnNeedError) {
      if (leftOut.size >= MAX_KINDS) leftOut.clear();
      leftOut.set(kind, TRIES_LEFT_OUT);
    }
    throw error;
  };
  return {
    write: <R>(kind: string, work: (tx: WriteTx) => Promise<R>) =>
      new Promise<R>((resolve, reject) => {
        const context = new AsyncResource("SharedWrite");
        add({ work, context, resolve: resolve as Member["resolve"], reject });
      }).catch((error: unknown) => learn(kind, error)),
    suits(kind) {
      const left = leftOut.get(kind);
      if (left === undefined) return true;
      if (left > 1) leftOut.set(kind, left - 1);
      else leftOut.delete(kind);
      return false;
    },
  };
}

/**
 * Runs work in the context of its caller. `AsyncResource.bind` is avoided: each function it makes has its own accessors, and with
 * them a hidden class that is never freed.
 */
const inContext = ({ work, context }: Member, tx: WriteTx): Promise<unknown> =>
  context.runInAsyncScope(work, undefined, tx);

/** Runs a single member. Never rejects, even if the storage throws synchronously. */
async function runOne(storage: Pick<Storage, "write">, only: Member): Promise<void> {
  try {
    only.resolve(await storage.write((tx) => inContext(only, tx)));
  } catch (error) {
    only.reject(error);
  }
}

/** Runs a batch and answers its members. Never rejects. */
async function runBatch(storage: Pick<Storage, "write">, batch: readonly Member[]): Promise<void> {
  const [first] = batch;
  if (first && batch.length === 1) return runOne(storage, first);
  let isCommitting = false;
  try {
    const values = await storage.write(async (tx) => {
      const made = await runTogether(tx, batch);
      isCommitting = true;
      return made;
    });
    for (const [index, { resolve }] of batch.entries()) resolve(values[index]);
  } catch (error) {
    const fault = storageErrorIn(error)?.fault;
    // Not retried: work that timed out on a lock would wait for it again, and a commit whose answer was lost may have
    // succeeded, so that a second run would launch the jobs twice.
    const isFinal = fault === "locked" || (isCommitting && fault !== undefined);
    const reason = isFinal ? error : new AloneError("A shared transaction was taken back", { cause: error });
    for (const { reject } of batch) reject(reason);
  }
}

/** Runs a batch in one transaction. Throws when writes of a member must be rolled back. */
async function runTogether(tx: WriteTx, batch: readonly Member[]): Promise<readonly unknown[]> {
  const insert = createGatheredInserts(tx);
  const run = async (member: Member): Promise<unknown> => {
    const use = { hasWritten: false };
    try {
      return await inContext(member, sharing(tx, use, insert));
    } catch (error) {
      const isAnswer = error instanceof AloneError || (error instanceof SignalboxError && !use.hasWritten);
      // The member's own refusal is its answer, even if the transaction is rolled back because of others.
      if (isAnswer) member.reject(error);
      if (use.hasWritten || !isAnswer) throw error;
      return undefined;
    }
  };
  return settleAll(batch.map(run));
}

const alone = (): Promise<never> => Promise.reject(new OwnNeedError("Needs a transaction of its own"));

type Insert = <T extends StoredRecord>(definition: CollectionDefinition<T>, record: T) => Promise<void>;

interface Gathered {
  readonly records: StoredRecord[];
  readonly done: Promise<void>;
}

/** Inserts records of one turn together; an id that is taken fails all of them. */
function createGatheredInserts(tx: WriteTx): Insert {
  const gathered = new Map<string, Gathered>();
  return <T extends StoredRecord>(definition: CollectionDefinition<T>, record: T) => {
    const known = gathered.get(definition.name);
    if (known) {
      known.records.push(record);
      return known.done;
    }
    const records: T[] = [record];
    const done = new Promise<void>((resolve, reject) =>
      nextTick(() => {
        gathered.delete(definition.name);
        const collection = tx.collection(definition);
        (records.length === 1 ? collection.insert(record) : collection.insertMany(records)).then(resolve, reject);
      }),
    );
    gathered.set(definition.name, { records: records as StoredRecord[], done });
    return done;
  };
}

/** Restricts a transaction to calls in which its members neither see nor undo each other's changes. */
function sharing(tx: WriteTx, use: { hasWritten: boolean }, insert: Insert): WriteTx {
  const writing = <A extends readonly unknown[], R>(write: (...about: A) => R): ((...about: A) => R) => {
    return (...about) => {
      use.hasWritten = true;
      return write(...about);
    };
  };
  return {
    collection: <T extends StoredRecord>(definition: CollectionDefinition<T>): Collection<T> => {
      const inner = tx.collection(definition);
      return {
        get: (id) => inner.get(id),
        getMany: (ids) => inner.getMany(ids),
        list: () => inner.list(),
        find: (where, page) => inner.find(where, page),
        insert: writing((record: T) => insert(definition, record)),
        insertMany: writing((records: readonly T[]) => inner.insertMany(records)),
        update: alone,
        delete: alone,
        deleteMany: alone,
      };
    },
    timeline: readOnly(tx.timeline),
    counted: (name) => tx.counted(name),
    overwrite: alone,
    counter: writing(tx.counter.bind(tx)),
    lock: alone,
    enqueue: writing(tx.enqueue.bind(tx)),
    publish: writing(tx.publish.bind(tx)),
    afterCommit: writing(tx.afterCommit.bind(tx)),
  };
}

const readOnly = (inner: Timeline): Timeline => ({
  latest: (key, limit) => inner.latest(key, limit),
  range: (key, bounds) => inner.range(key, bounds),
  bounds: (key) => inner.bounds(key),
  put: alone,
  putMany: alone,
  tidy: alone,
  prune: alone,
  drop: alone,
});
