import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { BlobInfo, BlobStore } from "@signalbox/core";

const NAME = /^[A-Za-z0-9_.-]+$/;
/** Characters of a key; a path of the operating system ends at 4096 bytes, and the directory needs its share. */
const MAX_KEY_LENGTH = 1024;
/** Not a name that a key can hold, so a half-written file is never listed or read as a blob. */
const TEMPORARY = "~";

/**
 * Keeps blobs as files below `directory`, which is made when the first blob comes.
 *
 * A blob is written to a temporary file, flushed to disk and renamed: after a crash it is there as a whole or not at all.
 * One key must not be the folder of another (`a` and `a/b`): the second `put` rejects.
 * Every method throws `TypeError` for a key that is not slash-separated names of `[A-Za-z0-9_.-]`.
 */
export function fsBlobStore(directory: string): BlobStore {
  const root = resolve(directory);
  return {
    async put(key, content) {
      const path = pathOf(root, key);
      const temporary = join(root, TEMPORARY, randomUUID());
      await mkdir(dirname(temporary), { recursive: true });
      try {
        await writeDurably(temporary, content);
        await mkdir(dirname(path), { recursive: true });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
      const info = await infoOf(path);
      if (!info) throw new Error(`Blob vanished while it was stored: ${key}`);
      return info;
    },
    async get(key, range) {
      const path = pathOf(root, key);
      const info = await infoOf(path);
      if (!info) return undefined;
      return { ...info, content: readRange(path, info.sizeBytes, range) };
    },
    head: async (key) => infoOf(pathOf(root, key)),
    async delete(key) {
      const path = pathOf(root, key);
      if (!(await infoOf(path))) return false;
      await rm(path, { force: true });
      return true;
    },
    async list(prefix, { limit, after }) {
      const keys: string[] = [];
      for await (const key of walk(root, "", { prefix, after: after ?? "" })) {
        if (keys.length >= limit) break;
        keys.push(key);
      }
      return keys;
    },
  };
}

function pathOf(root: string, key: string): string {
  const names = typeof key === "string" && key.length <= MAX_KEY_LENGTH ? key.split("/") : [];
  const sound = names.length > 0 && names.every((name) => NAME.test(name) && name !== "." && name !== "..");
  const path = resolve(root, ...names);
  if (!sound || !path.startsWith(root + sep)) throw new TypeError(`Malformed blob key: ${String(key).slice(0, 100)}`);
  return path;
}

async function writeDurably(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of content) await writeAll(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}

/** Without it a power cut may lose the new name although the content was flushed. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function infoOf(path: string): Promise<BlobInfo | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? { sizeBytes: found.size, modified: found.mtimeMs / 1000 } : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  // ENOTDIR: a file stands where the key has a folder, so nothing can be below it.
  return code === "ENOENT" || code === "ENOTDIR";
}

async function* readRange(path: string, sizeBytes: number, range?: { start: number; end: number }) {
  const start = Math.max(0, range?.start ?? 0);
  const end = Math.min(sizeBytes - 1, range?.end ?? sizeBytes - 1);
  if (start > end) return;
  yield* createReadStream(path, { start, end }) as AsyncIterable<Uint8Array>;
}

interface Window {
  readonly prefix: string;
  readonly after: string;
}

/** Keys in byte order. A folder sorts as its name with the slash, or `a-b` would come after `a/b`. */
async function* walk(root: string, folder: string, window: Window): AsyncGenerator<string> {
  for (const entry of await entriesOf(join(root, folder))) {
    const key = folder + entry;
    if (!mayHold(key, window)) continue;
    if (entry.endsWith("/")) yield* walk(root, key, window);
    else yield key;
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { withFileTypes: true });
    const names = found.filter((entry) => NAME.test(entry.name) && (entry.isDirectory() || entry.isFile()));
    return names.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A file must lie in the window; a folder may, when its name and the bounds agree as far as both go. */
function mayHold(key: string, { prefix, after }: Window): boolean {
  if (!key.endsWith("/")) return key.startsWith(prefix) && key > after;
  const leads = key.startsWith(prefix) || prefix.startsWith(key);
  return leads && (key > after || after.startsWith(key));
}
