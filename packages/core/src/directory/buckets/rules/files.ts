import type { BucketFile, StoredFile } from "../model.ts";
import { bucketOfPath } from "./paths.ts";

/** Path of a file's content; undefined for an entry that names a path outside of the bucket. */
export function contentOf({ content, path }: StoredFile, bucket: string): string | undefined {
  if (bucketOfPath(path) !== bucket) return undefined;
  return content === undefined || bucketOfPath(content) === bucket ? (content ?? path) : undefined;
}

/** A file as callers see it. */
export function shownFile({ content: _content, ...file }: StoredFile): BucketFile {
  return file;
}

/**
 * Returns the files of a bucket after an upload. A file of the same name is replaced in its place and keeps its id and path
 * (docs/contract/buckets.md#uploads). New files have their content under their own path.
 */
export function mergeFiles(stored: readonly StoredFile[], coming: readonly BucketFile[]): StoredFile[] {
  const files = [...stored];
  for (const file of coming) {
    const place = files.findIndex(({ filename }) => filename === file.filename);
    const old = files[place];
    if (old) files[place] = { ...file, id: old.id, path: old.path, content: file.path };
    else files.push(file);
  }
  return files;
}

/** Returns the stored files that a caller names, in the caller's order. Names of files that are not in the bucket are ignored. */
export function keptFiles(stored: readonly StoredFile[], named: readonly unknown[]): StoredFile[] {
  const byPath = new Map(stored.map((file) => [file.path, file]));
  const kept = new Map<string, StoredFile>();
  for (const each of named) {
    const path = (each as { readonly path?: unknown } | null)?.path;
    const file = typeof path === "string" ? byPath.get(path) : undefined;
    if (file) kept.set(file.path, file);
  }
  return [...kept.values()];
}

/** Returns the contents that a change removes or replaces. A reader may still be reading a replaced one. */
export function lostContents(
  bucket: string,
  before: readonly StoredFile[],
  after: readonly StoredFile[],
): { readonly removed: string[]; readonly replaced: string[] } {
  const left = new Set(after.map((file) => contentOf(file, bucket)));
  const paths = new Set(after.map(({ path }) => path));
  const lost = before.flatMap((file) => {
    const key = contentOf(file, bucket);
    return key === undefined || left.has(key) ? [] : [{ key, isReplaced: paths.has(file.path) }];
  });
  const keysOf = (isReplaced: boolean): string[] =>
    lost.filter((each) => each.isReplaced === isReplaced).map(({ key }) => key);
  return { removed: keysOf(false), replaced: keysOf(true) };
}

/** Members that may identify one file; all that are given must match. */
export type Criteria = Readonly<Partial<Pick<BucketFile, "filename" | "path" | "date" | "size" | "username">>>;

/** Index of the first file that matches; -1 = none does. */
export const findFile = (files: readonly StoredFile[], criteria: Criteria): number =>
  files.findIndex((file) => Object.entries(criteria).every(([member, value]) => file[member] === value));
