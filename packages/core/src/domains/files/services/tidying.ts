import type { BlobStore } from "../../../ports/blob-store.ts";

/** Where transports put the files of a request until the operation has decided about them. */
const TEMPORARY = "tmp/";
/** Seconds: no request takes this long. */
const MAX_AGE = 86_400;
const PAGE = 100;
const PAGES = 10;

/**
 * Requests remove their temporary files themselves; those of a process that was killed wait here for a day. A turn looks
 * at a thousand of them at most, the next one at those that are left.
 */
export function createTidying(blobs: BlobStore): (now: number, signal: AbortSignal) => Promise<void> {
  return async (now, signal) => {
    const before = now - MAX_AGE;
    let keys: string[] = [];
    for (let page = 0; page < PAGES && (page === 0 || keys.length === PAGE); page++) {
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
