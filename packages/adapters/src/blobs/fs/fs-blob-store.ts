import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { BlobInfo, BlobStore } from "@signalbox/core/adapter";
import { checkKey, shownKey } from "../keys.ts";
import { pruneFolders, renameDurably, writeDurably } from "./fs-durable.ts";
import { folderFault } from "./fs-fault.ts";
import { isMissing, walkKeys } from "./fs-keys.ts";

/** A character that no key can hold, so a half-written file is never listed or read as a blob. */
const TEMPORARY = "~";

function pathIn(root: string, key: string): string {
  checkKey(key);
  const path = resolve(root, ...key.split("/"));
  if (!path.startsWith(root + sep)) throw new TypeError(`Malformed blob key: ${shownKey(key)}`);
  return path;
}

async function firstOf(keys: AsyncIterable<string>, limit: number): Promise<string[]> {
  const found: string[] = [];
  if (limit <= 0) return found;
  for await (const key of keys) {
    found.push(key);
    if (found.length >= limit) break;
  }
  return found;
}

/**
 * Keeps blobs as files below `directory`, which is created for the first blob.
 *
 * A blob is written to a temporary file, flushed to disk and renamed, and the folders are flushed as well: after a crash it
 * exists completely or not at all. One key must not be the folder of another (`a` and `a/b`): the second `put` rejects. A reader
 * whose blob is replaced or deleted before it starts to read gets an error. Every method throws `TypeError` for a key that is not
 * slash-separated names of `[A-Za-z0-9_.-]`. Errors of the file system keep their `code` but not the path. Throws `TypeError` for
 * an empty directory name.
 */
export function fsBlobStore(directory: string): BlobStore {
  // An empty name would resolve to the working directory of the process.
  if (typeof directory !== "string" || directory === "")
    throw new TypeError("fsBlobStore: the directory must be a text that is not empty");
  const root = resolve(directory);
  const pathOf = (key: string): string => pathIn(root, key);
  return {
    fault: () => folderFault(root),
    put: async (key, content) => storeFile(root, { key, path: pathOf(key) }, content),
    async get(key, range) {
      const path = pathOf(key);
      const found = await named(key, "read", statOf(path));
      return found && { ...infoOf(found), content: readFile({ key, path, found }, range) };
    },
    async head(key) {
      const found = await named(key, "read", statOf(pathOf(key)));
      return found && infoOf(found);
    },
    async delete(key) {
      const path = pathOf(key);
      if (!(await named(key, "deleted", statOf(path)))) return false;
      await named(key, "deleted", rm(path, { force: true }));
      await pruneFolders(dirname(path), root);
      return true;
    },
    list: (prefix, { limit, after = "" }) => firstOf(walkKeys(root, { prefix, after }), limit),
    async move(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)];
      const found = await named(from, "moved", statOf(source));
      if (!found) return undefined;
      await named(to, "moved", renameDurably(source, target));
      await pruneFolders(dirname(source), root);
      return infoOf(found);
    },
    tidy: (before) => removeLeftovers(join(root, TEMPORARY), before),
  };
}

const infoOf = ({ size, mtimeMs }: Stats): BlobInfo => ({ sizeBytes: size, modified: mtimeMs / 1000 });

/**
 * Undefined for anything but a regular file; links are excluded because they could lead anywhere. Nothing can be stored under a
 * name that is too long for the file system.
 */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

/** Replaces the system's error, whose message contains the path: a path is enough to open the file. */
async function named<T>(key: string, what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw faultOf(key, what, error);
  }
}

function faultOf(key: string, what: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error as Error;
  return Object.assign(new Error(`Blob ${shownKey(key)} could not be ${what}: ${code}`), { code });
}

interface Place {
  readonly key: string;
  readonly path: string;
}

async function storeFile(root: string, { key, path }: Place, content: AsyncIterable<Uint8Array>): Promise<BlobInfo> {
  const temporary = join(root, TEMPORARY, randomUUID());
  try {
    await named(key, "stored", mkdir(dirname(temporary), { recursive: true }));
    const written = await named(key, "stored", writeDurably(temporary, content));
    await named(key, "stored", renameDurably(temporary, path));
    return infoOf(written);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Opens the file only when it is read, so that unread content keeps no file open. */
async function* readFile(
  { key, path, found }: Place & { readonly found: Stats },
  range?: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const start = Math.max(0, range?.start ?? 0);
  const end = Math.min(found.size - 1, range?.end ?? found.size - 1);
  if (start > end) return;
  const file = await named(key, "read", open(path, "r"));
  try {
    const { ino, size, mtimeMs } = await file.stat();
    if (ino !== found.ino || size !== found.size || mtimeMs !== found.mtimeMs)
      throw new Error(`Blob ${shownKey(key)} was replaced before it was read`);
    yield* file.createReadStream({ start, end, autoClose: false }) as AsyncIterable<Uint8Array>;
  } finally {
    await file.close();
  }
}

/** Removes half-written files left by processes that died; `before` is in Unix seconds. */
async function removeLeftovers(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const name of names) {
    const found = await statOf(join(folder, name));
    if (found && found.mtimeMs / 1000 < before) await rm(join(folder, name), { force: true });
  }
}
