import { type Clock, systemClock } from "../ports/clock.ts";
import { createIds } from "../ports/ids.ts";
import { type Logger, silentLogger } from "../ports/logger.ts";
import { localCoordination } from "../ports/nodes/local-coordination.ts";
import { systemRandom } from "../ports/random.ts";
import type { Storage } from "../ports/storage/storage.ts";
import { memoryBlobStore } from "./memory-blob-store.ts";
import { readSnapshot, rowsOf, type Shared, writeTx } from "./memory-transaction.ts";
import { createWriter } from "./memory-writer.ts";
import { memoryWork } from "./tables/memory-work.ts";
import { type CommittedTables, createTables } from "./tables/tables.ts";

export interface MemoryStorageOptions {
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  readonly log?: Logger;
}

/**
 * Keeps everything in this process and forgets it at the end: the executable specification of the storage port, for
 * tests and trials.
 *
 * @example const signalbox = createSignalbox({ storage: memoryStorage(), secretKey: "sixteen characters or more" });
 */
export const memoryStorage = (options: MemoryStorageOptions = {}): Storage => memoryStorageOn(createTables(), options);

/** A memory storage over tables that other code copies, or has filled. */
export function memoryStorageOn(tables: CommittedTables, options: MemoryStorageOptions): Storage {
  const { clock = systemClock, log = silentLogger } = options;
  const known = new Set<string>();
  const { transact, idle } = createWriter(tables.begin, log);
  const shared: Shared = {
    clock,
    log,
    ids: createIds({ clock, random: systemRandom() }),
    wakers: new Set(),
    requireKnown: ({ name }) => {
      if (!known.has(name)) throw new TypeError(`Collection ${name} was not given to open()`);
    },
    nextSeq: countAfter(tables),
  };
  return {
    name: "memory",
    coordination: localCoordination({ nodeId: shared.ids.short("n"), log }),
    work: memoryWork((change) => transact((drafts) => change(drafts.table("work"))), shared.wakers),
    blobs: memoryBlobStore({ clock }),
    open: async (collections) => {
      for (const { name } of collections) known.add(name);
    },
    isKnownEmpty: (definition) => !tables.has(rowsOf(definition)),
    read: (work) => readSnapshot(tables.snapshot, shared, work),
    write: (work) =>
      transact(async (drafts, after) => {
        const { tx, end } = writeTx(drafts, after, shared);
        try {
          return await work(tx);
        } finally {
          end();
        }
      }),
    adopt: () => {
      throw new TypeError("Memory storage knows no transactions of the host");
    },
    close: idle,
  };
}

/** Numbers new items of the queue after the present ones. */
function countAfter(tables: CommittedTables): () => number {
  const { view, release } = tables.snapshot();
  let last = 0;
  for (const { seq } of view<{ readonly seq: number }>("work").values()) last = Math.max(last, seq);
  release();
  return () => ++last;
}
