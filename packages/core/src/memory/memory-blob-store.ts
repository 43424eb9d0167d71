import { checkBlobKey } from "../lib/files/blob-key.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import type { BlobInfo, BlobStore } from "../ports/storage/blob-store.ts";

/** Blobs in memory: for tests and for hosts that keep nothing. */
export function memoryBlobStore({ clock = systemClock }: { clock?: Clock } = {}): BlobStore {
  const blobs = new Map<string, { bytes: Uint8Array; modified: number }>();
  const info = ({ bytes, modified }: { bytes: Uint8Array; modified: number }): BlobInfo => ({
    sizeBytes: bytes.length,
    modified,
  });
  return {
    isForgetful: true,
    async put(key, content) {
      checkBlobKey(key);
      const bytes = new Uint8Array(Buffer.concat(await Array.fromAsync(content)));
      const blob = { bytes, modified: clock.now() };
      blobs.set(key, blob);
      return info(blob);
    },
    async get(key, range) {
      checkBlobKey(key);
      const blob = blobs.get(key);
      if (!blob) return undefined;
      const bytes = range ? blob.bytes.subarray(Math.max(0, range.start), range.end + 1) : blob.bytes;
      return { ...info(blob), content: once(bytes) };
    },
    async head(key) {
      checkBlobKey(key);
      const blob = blobs.get(key);
      return blob && info(blob);
    },
    async delete(key) {
      checkBlobKey(key);
      return blobs.delete(key);
    },
    async list(prefix, { limit, after = "" }) {
      return [...blobs.keys()]
        .filter((key) => key.startsWith(prefix) && key > after)
        .sort()
        .slice(0, limit);
    },
    async move(from, to) {
      for (const key of [from, to]) checkBlobKey(key);
      const blob = blobs.get(from);
      if (!blob) return undefined;
      blobs.delete(from);
      blobs.set(to, blob);
      return info(blob);
    },
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
