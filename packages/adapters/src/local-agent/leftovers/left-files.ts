import { lstat, readdir, realpath } from "node:fs/promises";
import { join, matchesGlob, relative, resolve, sep } from "node:path";
import type { LeftFile } from "@signalbox/core/adapter";
import type { Account } from "../job/job-folder.ts";
import { findLeftFile } from "./left-file.ts";

export interface LeftFiles {
  readonly files: readonly LeftFile[];
  /** Paths that were named and lead elsewhere, or belong to another user. */
  readonly refused: readonly string[];
  /** There are more. */
  readonly isCut: boolean;
}

/**
 * Files below a folder, by a path or a pattern, in the order of their paths. No other folder is looked into: the pattern
 * is that of a program which may have fewer rights than this process, and could have the whole machine searched.
 */
export async function findLeftFiles(
  folder: string,
  pattern: string,
  { account, most }: { readonly account: Account; readonly most: number },
): Promise<LeftFiles> {
  // A name may hold the signs of a pattern: "report [2].csv".
  const exact = await findLeftFile(folder, pattern, account);
  if (exact) return { files: [exact], refused: [], isCut: false };
  if (!/[*?[\]{}()!+@]/.test(pattern)) {
    const isThere = await lstat(resolve(folder, pattern)).catch(() => undefined);
    return { files: [], refused: isThere ? [pattern] : [], isCut: false };
  }
  const root = await realpath(folder);
  // A program may know its folder by either name; a pattern that leads elsewhere means nothing.
  const inside = [folder, root]
    .map((home) => relative(home, resolve(folder, pattern)))
    .find((each) => !/^\.\.(?:[/]|$)/.test(each));
  return take(inside === undefined ? nothing() : filesIn(root, inside), { folder, account, most });
}

async function* nothing(): AsyncGenerator<string> {}

interface Taking {
  readonly folder: string;
  readonly account: Account;
  readonly most: number;
}

async function take(paths: AsyncIterable<string>, { folder, account, most }: Taking): Promise<LeftFiles> {
  const files = new Map<string, LeftFile>();
  const refused: string[] = [];
  let isCut = false;
  for await (const path of paths) {
    const full = await realpath(join(folder, path)).catch(() => path);
    // Links may lead to the same file.
    if (files.has(full)) continue;
    isCut = files.size + refused.length >= most;
    if (isCut) break;
    const file = await findLeftFile(folder, path, account);
    if (file) files.set(full, file);
    else refused.push(path);
  }
  const sorted = [...files.keys()].sort();
  return { files: sorted.map((path) => files.get(path) as LeftFile), refused, isCut };
}

/** Names below a folder that a pattern means, folders left out; `above` are the folders on the way. */
async function* filesIn(
  root: string,
  pattern: string,
  at = "",
  above: readonly string[] = [root],
): AsyncGenerator<string> {
  const entries = await readdir(join(root, at), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(at, entry.name);
    const isLink = entry.isSymbolicLink();
    const full = isLink ? await realpath(join(root, path)).catch(() => "") : join(root, path);
    const isFolder = isLink ? await isFolderAt(full) : entry.isDirectory();
    if (!isFolder && matchesGlob(path, pattern)) yield path;
    // A link may lead back, and out of the folder.
    if (isFolder && full.startsWith(root + sep) && !above.includes(full) && mayLead(path, pattern))
      yield* filesIn(root, pattern, path, [...above, full]);
  }
}

const isFolderAt = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;

/** Whether names that a pattern means may lie in a folder. */
function mayLead(path: string, pattern: string): boolean {
  // Alternatives may hold a slash.
  if (/[{(]/.test(pattern)) return true;
  const parts = pattern.split(sep);
  const names = path.split(sep);
  const deep = parts.indexOf("**");
  if (deep >= 0 && names.length > deep) return true;
  const [name = "", part] = [names.at(-1), parts[names.length - 1]];
  return part !== undefined && names.length < parts.length && matchesGlob(name, part);
}
