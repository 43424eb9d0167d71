import type { Cradle } from "../../kernel/container.ts";
import type { BlobStore } from "../../ports/storage/blob-store.ts";
import { createTidying } from "./services/tidying.ts";

/** A folder whose files are named by records: a path that no record names does not exist. */
export interface NamedFiles {
  /** "files/bucket/". */
  readonly folder: string;
  /** Key of the content behind a path; undefined = no such file. */
  readonly find: (path: string) => Promise<string | undefined>;
}

/** Files that callers and agents have stored, below `files/`. */
export interface FileStore extends Pick<BlobStore, "get" | "head" | "list"> {
  /** From this call on, paths below the folder are looked up before they are read. `list`, `keep` and `remove` take keys. */
  serveBy(named: NamedFiles): void;
  /** Copies the content of a file to another key; returns its size in bytes. */
  copy(path: string, key: string, signal: AbortSignal): Promise<number>;
  /** Moves a file of a request to its own key, once; returns its size in bytes. Leaves nothing behind when it throws. */
  keep(temporary: string, key: string): Promise<number>;
  /** True when the file existed. */
  remove(key: string): Promise<boolean>;
  /** Removes files that interrupted requests and uploads left behind, a bounded number at a time. */
  tidy(now: number, signal: AbortSignal): Promise<void>;
}

export function createFileStore({ blobs, storage }: Pick<Cradle, "blobs" | "storage">): FileStore {
  const named: NamedFiles[] = [];
  const keyOf = (path: string): Promise<string | undefined> | string => {
    const owner = named.find(({ folder }) => path.startsWith(folder));
    return owner ? owner.find(path) : path;
  };
  const get: FileStore["get"] = async (path, range) => {
    const key = await keyOf(path);
    return key === undefined ? undefined : blobs.get(key, range);
  };
  return {
    get,
    async head(path) {
      const key = await keyOf(path);
      return key === undefined ? undefined : blobs.head(key);
    },
    list: (prefix, page) => blobs.list(prefix, page),
    serveBy: (files) => void named.push(files),
    async copy(path, key, signal) {
      const file = await get(path);
      if (!file) throw new Error("A file vanished before it was copied");
      return (await blobs.put(key, untilAborted(file.content, signal))).sizeBytes;
    },
    async keep(temporary, key) {
      const kept = blobs.move ? await blobs.move(temporary, key) : await copy(blobs, temporary, key);
      if (!kept) throw new Error("An upload vanished before it was stored");
      return kept.sizeBytes;
    },
    remove: (key) => blobs.delete(key),
    tidy: createTidying({ blobs, isShared: storage.coordination.shared }),
  };
}

/** Copies; the transport that received the request removes the temporary file. */
async function copy(blobs: BlobStore, temporary: string, key: string) {
  const upload = await blobs.get(temporary);
  return upload && blobs.put(key, upload.content);
}

async function* untilAborted(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    yield chunk;
  }
}
