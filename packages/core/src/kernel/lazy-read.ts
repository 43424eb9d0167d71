import type { CollectionDefinition, ReadCollection, StoredRecord } from "../ports/collection.ts";
import type { ReadTx, Storage } from "../ports/storage.ts";

/**
 * Reads in a snapshot that is taken when something is first read from the storage, and held until `work` ends. Most
 * reads of definitions are answered from memory and never take one, nor wait in line for it.
 */
export async function readLazily<R>(storage: Pick<Storage, "read">, work: (tx: ReadTx) => Promise<R>): Promise<R> {
  const snapshot = createSnapshot(storage);
  let result: R;
  try {
    result = await work(snapshot.tx);
  } catch (error) {
    // Why the work failed says more than how its snapshot ended.
    await snapshot.end()?.catch(() => undefined);
    throw error;
  }
  const ending = snapshot.end();
  if (ending !== undefined) await ending;
  return result;
}

interface LazySnapshot {
  readonly tx: ReadTx;
  /** Undefined when nothing was read. */
  end(): Promise<void> | undefined;
}

function createSnapshot(storage: Pick<Storage, "read">): LazySnapshot {
  let opened: Promise<ReadTx> | undefined;
  let held: Promise<void> | undefined;
  let release: (() => void) | undefined;
  let ended = false;
  const open = (): Promise<ReadTx> => {
    if (ended) return Promise.reject(new Error("The snapshot has ended: every read must be awaited inside the work"));
    opened ??= new Promise((resolve, reject) => {
      held = storage.read(
        (tx) =>
          new Promise((done) => {
            release = done;
            // The work did not wait for this read.
            if (ended) done();
            resolve(tx);
          }),
      );
      held.catch(reject);
    });
    return opened;
  };
  return {
    tx: {
      collection: (definition) => lazyCollection(open, definition),
      timeline: {
        latest: async (...about) => (await open()).timeline.latest(...about),
        range: async (...about) => (await open()).timeline.range(...about),
        bounds: async (...about) => (await open()).timeline.bounds(...about),
      },
    },
    end() {
      ended = true;
      release?.();
      return held;
    },
  };
}

function lazyCollection<T extends StoredRecord>(
  open: () => Promise<ReadTx>,
  definition: CollectionDefinition<T>,
): ReadCollection<T> {
  const collection = async (): Promise<ReadCollection<T>> => (await open()).collection(definition);
  return {
    get: async (id) => (await collection()).get(id),
    getMany: async (ids) => (await collection()).getMany(ids),
    list: async () => (await collection()).list(),
    find: async (where, page) => (await collection()).find(where, page),
  };
}
