import type { BlobStore } from "../../ports/storage/blob-store.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import type { WorkItem, WorkQueue } from "../../ports/storage/work.ts";
import type { Activity, Hold } from "./activity.ts";

/** Wraps a storage so that the box tracks its work. Queued work is held from its claim to its end. */
export function observedStorage(storage: Storage, activity: Activity): Storage {
  const { during } = activity;
  return {
    ...storage,
    work: observedWork(storage.work, activity),
    read: (run) => during("a read of the storage", () => storage.read(run)),
    write: (run) => during("a write to the storage", () => storage.write(run)),
  };
}

function observedWork(work: WorkQueue, activity: Activity): WorkQueue {
  const { during, hold } = activity;
  const holds = new Map<string, Hold>();
  const end = ({ token }: WorkItem): void => {
    holds.get(token)?.end();
    holds.delete(token);
  };
  return {
    ...work,
    async claim(options) {
      if (activity.isStuck) return [];
      const items = await during("a look at the queued work", () => work.claim(options));
      for (const { token, kind } of items) holds.set(token, hold(`queued work "${kind}"`));
      return items;
    },
    async complete(items) {
      await during("the end of queued work", () => work.complete(items));
      for (const item of items) end(item);
    },
    async release(item, outcome) {
      await during("the return of queued work", () => work.release(item, outcome));
      end(item);
    },
  };
}

/** Wraps a blob store so that the box tracks its work. */
export function observedBlobs(blobs: BlobStore, { during }: Activity): BlobStore {
  const observed =
    <A extends readonly unknown[], R>(what: string, work: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> =>
      during(what, () => work(...given));
  const { isForgetful = false, move, tidy } = blobs;
  return {
    isForgetful,
    put: observed("the storing of a file", blobs.put),
    get: observed("the reading of a file", blobs.get),
    head: observed("a look at a file", blobs.head),
    delete: observed("the removal of a file", blobs.delete),
    list: observed("a list of files", blobs.list),
    ...(move ? { move: observed("the move of a file", move) } : {}),
    ...(tidy ? { tidy: observed("the tidying of files", tidy) } : {}),
  };
}
