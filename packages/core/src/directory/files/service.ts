import type { Cradle } from "../../kernel/container.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { createTidying } from "./services/tidying.ts";

/** Files that callers and agents have stored, below `files/`. */
export interface FileStore extends Pick<BlobStore, "get" | "head" | "list"> {
  /** Gives a file of a request its own key, once; returns its size in bytes. Nothing is left behind when it throws. */
  keep(temporary: string, key: string): Promise<number>;
  /** True when it was there. */
  remove(key: string): Promise<boolean>;
  /** Removes what broken-off requests and uploads left behind, a bounded number at a time. */
  tidy(now: number, signal: AbortSignal): Promise<void>;
}

export function createFileStore({ blobs, storage }: Pick<Cradle, "blobs" | "storage">): FileStore {
  return {
    get: (key, range) => blobs.get(key, range),
    head: (key) => blobs.head(key),
    list: (prefix, page) => blobs.list(prefix, page),
    async keep(temporary, key) {
      const kept = blobs.move ? await blobs.move(temporary, key) : await copy(blobs, temporary, key);
      if (!kept) throw new Error("An upload vanished before it was stored");
      return kept.sizeBytes;
    },
    remove: (key) => blobs.delete(key),
    tidy: createTidying({ blobs, isShared: storage.coordination.shared }),
  };
}

/** The transport that took the request removes the temporary file. */
async function copy(blobs: BlobStore, temporary: string, key: string) {
  const upload = await blobs.get(temporary);
  return upload && blobs.put(key, upload.content);
}
