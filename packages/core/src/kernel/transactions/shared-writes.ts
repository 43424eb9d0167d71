import { AsyncResource } from "node:async_hooks";
import { nextTick } from "node:process";
import { createBatches } from "../../lib/turns/batches.ts";
import { settleAll } from "../../lib/turns/settle-all.ts";
import type { Collection, CollectionDefinition, StoredRecord } from "../../ports/storage/collection.ts";
import type { Storage, WriteTx } from "../../ports/storage/storage.ts";
import type { Timeline } from "../../ports/storage/timeline.ts";
import { SignalboxError, storageErrorIn } from "../errors/errors.ts";

/** Work could not share its transaction and nothing of it was stored: it is to be run again in one of its own. */
export class AloneError extends Error {}

/**
 * The work itself needs a transaction of its own; any other `AloneError` means that another work spoiled the
 * transaction.
 */
class OwnNeedError extends AloneError {}

export interface SharedWrites {
  /**
   * Like `storage.write`, in one transaction with the work of other callers of that moment, interleaved with theirs. So
   * the work may read and insert, and nothing else: a change of a record, a lock or a counter throws `AloneError`, and
   * the caller runs the work again by itself. Work that is refused (`SignalboxError`) before its first write leaves the
   * others as they are; any other failure takes back all of them, and each caller gets an `AloneError`, or the
   * storage's own error if that stayed locked, or failed at the commit.
   */
  write<R>(kind: string, work: (tx: WriteTx) => Promise<R>): Promise<R>;
  /** False while work of this kind is better run alone from the beginning: some of it had to be, a moment ago. */
  suits(kind: string): boolean;
}

type Work = (tx: WriteTx) => Promise<unknown>;

interface Member {
  readonly work: Work;
  /** The asynchronous context of the caller, in which storages run work too. */
  readonly context: AsyncResource;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A begin, a commit and a flush for all; more would keep the first one waiting for the last one. */
const MAX_SHARING = 64;
/** One is written while the next one is made. */
const AT_ONCE = 2;
/** Work of a kind that is run alone before the next one tries to share. */
const TRIES_LEFT_OUT = 100;
const MAX_KINDS = 10_000;

/**
 * Measured with jobs on PostgreSQL, 200 at once: 960 a second where each launch had a transaction of its own (three
 * writes to a socket were a third of all processor time), 1,780 with shared ones.
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
 * Runs work in the context of its caller. Not by `AsyncResource.bind`: each function it makes has accessors of its own,
 * and with them a hidden class that keeps it.
 */
const inContext = ({ work, context }: Member, tx: WriteTx): Promise<unknown> =>
  context.runInAsyncScope(work, undefined, tx);

/** Runs a lone member. Never rejects, also where the storage throws at once. */
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
    // Work that has waited for a lock in vain would wait for it once more, and the commit of an answer that was lost may
    // have come about: the jobs of a second run would be launched twice.
    const isFinal = fault === "locked" || (isCommitting && fault !== undefined);
    const reason = isFinal ? error : new AloneError("A shared transaction was taken back", { cause: error });
    for (const { reject } of batch) reject(reason);
  }
}

/** Runs a batch in one transaction. Throws when writes of a member have to be taken back. */
async function runTogether(tx: WriteTx, batch: readonly Member[]): Promise<readonly unknown[]> {
  const insert = createGatheredInserts(tx);
  const run = async (member: Member): Promise<unknown> => {
    const use = { hasWritten: false };
    try {
      return await inContext(member, sharing(tx, use, insert));
    } catch (error) {
      const isAnswer = error instanceof AloneError || (error instanceof SignalboxError && !use.hasWritten);
      // Its own refusal is the answer, even if the transaction is taken back for the others.
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

/** Records inserted in one turn go into the storage at once; an id that is taken fails all of them. */
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

/** A transaction limited to calls by which its members neither see nor undo each other's changes. */
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
        ...{ update: alone, delete: alone, deleteMany: alone },
      };
    },
    timeline: readOnly(tx.timeline),
    counted: (name) => tx.counted(name),
    ...{ overwrite: alone, counter: alone, lock: alone },
    enqueue: writing(tx.enqueue.bind(tx)),
    publish: writing(tx.publish.bind(tx)),
    afterCommit: writing(tx.afterCommit.bind(tx)),
  };
}

const readOnly = (inner: Timeline): Timeline => ({
  latest: (key, limit) => inner.latest(key, limit),
  range: (key, bounds) => inner.range(key, bounds),
  bounds: (key) => inner.bounds(key),
  ...{ put: alone, putMany: alone, tidy: alone, prune: alone, drop: alone },
});
