import type { BlobStore } from "../../../ports/storage/blob-store.ts";

/** Prefix under which transports put the files of a request until the operation has decided about them. */
const TEMPORARY = "tmp/";
/** Seconds; longer than any request takes. */
const MAX_AGE = 86_400;
const PAGE = 100;
const PAGES = 10;

interface Deps {
  readonly blobs: BlobStore;
  /** True when other processes may store files of their requests in the same place. */
  readonly isShared: boolean;
}

/**
 * Removes temporary files of requests whose process was killed; other requests remove their own. The first turn of a process
 * removes all of them. If the place is shared with other processes, files stay for a day, and a turn looks at a thousand files at
 * most; the next turn continues with those left.
 */
export function createTidying({ blobs, isShared }: Deps): (now: number, signal: AbortSignal) => Promise<void> {
  let isFirst = true;
  return async (now, signal) => {
    const isStart = isFirst && !isShared;
    isFirst = false;
    // Files older than the start belong to an earlier process. Times of stores may be rounded.
    const before = isStart ? Math.floor(now) : now - MAX_AGE;
    const pages = isStart ? Number.POSITIVE_INFINITY : PAGES;
    let keys: string[] = [];
    for (let page = 0; page < pages && !signal.aborted && (page === 0 || keys.length === PAGE); page++) {
      keys = await blobs.list(TEMPORARY, { limit: PAGE, after: keys.at(-1) ?? "" });
      await removeOld(blobs, { keys, before }, signal);
    }
    if (!signal.aborted) await blobs.tidy?.(before);
  };
}

interface Old {
  readonly keys: readonly string[];
  /** Unix seconds. */
  readonly before: number;
}

async function removeOld(blobs: BlobStore, { before, keys }: Old, signal: AbortSignal): Promise<void> {
  for (const key of keys) {
    if (signal.aborted) return;
    const info = await blobs.head(key);
    if (info && info.modified < before) await blobs.delete(key);
  }
}
