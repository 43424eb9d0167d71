import type { Cradle } from "../../kernel/container.ts";
import type { BlobStore } from "../../ports/blob-store.ts";

/** Files that callers and agents have stored, below `files/`. */
export interface FileStore extends Pick<BlobStore, "get" | "head" | "list"> {
  /** Copies a file of a request to its own key; returns its size in bytes. Nothing is left behind when it throws. */
  keep(temporary: string, key: string): Promise<number>;
  /** True when it was there. */
  remove(key: string): Promise<boolean>;
}

export function createFileStore({ blobs }: Pick<Cradle, "blobs">): FileStore {
  return {
    get: (key, range) => blobs.get(key, range),
    head: (key) => blobs.head(key),
    list: (prefix, page) => blobs.list(prefix, page),
    async keep(temporary, key) {
      const upload = await blobs.get(temporary);
      if (!upload) throw new Error("An upload vanished before it was stored");
      return (await blobs.put(key, upload.content)).sizeBytes;
    },
    remove: (key) => blobs.delete(key),
  };
}
