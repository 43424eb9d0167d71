import type { Collection, StoredRecord } from "../../../src/ports/storage/collection.ts";
import type { Storage, WriteTx } from "../../../src/ports/storage/storage.ts";

/** A storage that records its writes. */
export interface Watched {
  readonly storage: Storage;
  /** Incremented when a writing transaction begins and when it ends. */
  writes(): number;
  /** Incremented when a transaction changes the collection, and when that transaction ends. */
  version(collection: string): number;
}

export function watchWrites(inner: Storage): Watched {
  let count = 0;
  const versions = new Map<string, number>();
  const version = (collection: string): number => versions.get(collection) ?? 0;
  const grow = (collection: string): void => void versions.set(collection, version(collection) + 1);
  const storage: Storage = {
    ...inner,
    write(work) {
      const changed = new Set<string>();
      const note = (collection: string): void => {
        changed.add(collection);
        grow(collection);
      };
      count++;
      const ended = (): void => {
        count++;
        for (const collection of changed) grow(collection);
      };
      const result = inner.write((tx) => work(noting(tx, note)));
      result.then(ended, ended);
      return result;
    },
  };
  return { storage, writes: () => count, version };
}

const noting = (tx: WriteTx, note: (collection: string) => void): WriteTx => ({
  ...tx,
  timeline: tx.timeline,
  collection: (definition) => notingCollection(tx.collection(definition), () => note(definition.name)),
});

function notingCollection<T extends StoredRecord>(inner: Collection<T>, note: () => void): Collection<T> {
  const noted =
    <A extends readonly unknown[], R>(method: (...values: A) => R) =>
    (...values: A): R => {
      note();
      return method(...values);
    };
  return {
    ...inner,
    insert: noted(inner.insert),
    insertMany: noted(inner.insertMany),
    update: noted(inner.update),
    delete: noted(inner.delete),
    deleteMany: noted(inner.deleteMany),
  };
}
