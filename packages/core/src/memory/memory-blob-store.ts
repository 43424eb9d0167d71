import { checkBlobKey } from "../lib/files/blob-key.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import type { BlobInfo, BlobStore } from "../ports/storage/blob-store.ts";

export interface Blob {
  readonly bytes: Uint8Array;
  readonly modified: number;
}

const info = ({ bytes, modified }: Blob): BlobInfo => ({ sizeBytes: bytes.length, modified });

/** Blobs in memory: for tests and for hosts that keep nothing. */
export const memoryBlobStore = (options: { clock?: Clock } = {}): BlobStore => memoryBlobStoreOn(new Map(), options);

/** A blob store over blobs that other code copies, or has filled. */
export function memoryBlobStoreOn(blobs: Map<string, Blob>, { clock = systemClock }: { clock?: Clock }): BlobStore {
  const find = (key: string): Blob | undefined => {
    checkBlobKey(key);
    return blobs.get(key);
  };
  return {
    isForgetful: true,
    async put(key, content) {
      checkBlobKey(key);
      const blob = { bytes: new Uint8Array(Buffer.concat(await Array.fromAsync(content))), modified: clock.now() };
      blobs.set(key, blob);
      return info(blob);
    },
    async get(key, range) {
      const blob = find(key);
      if (!blob) return undefined;
      const bytes = range ? blob.bytes.subarray(Math.max(0, range.start), range.end + 1) : blob.bytes;
      return { ...info(blob), content: once(bytes) };
    },
    async head(key) {
      const blob = find(key);
      return blob && info(blob);
    },
    delete: async (key) => find(key) !== undefined && blobs.delete(key),
    async list(prefix, { limit, after = "" }) {
      return [...blobs.keys()]
        .filter((key) => key.startsWith(prefix) && key > after)
        .sort()
        .slice(0, limit);
    },
    async move(from, to) {
      checkBlobKey(to);
      const blob = find(from);
      if (blob && blobs.delete(from)) blobs.set(to, blob);
      return blob && info(blob);
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
