import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { type Clock, compilePathGlob, createBreath, type LeftFile, type PathGlob } from "@signalbox/core/adapter";
import type { Account } from "../job/job-folder.ts";
import { findLeftFile } from "./left-file.ts";

export interface LeftFiles {
  readonly files: readonly LeftFile[];
  /** Paths that were named and lead elsewhere, or belong to another user. */
  readonly refused: readonly string[];
  /** There are more. */
  readonly isCut: boolean;
}

export interface Finding {
  readonly account: Account;
  readonly clock: Clock;
  readonly most: number;
}

/**
 * Files below a folder, by a path or a pattern, in the order of their paths. No other folder is looked into: the pattern
 * is that of a program which may have fewer rights than this process, and could have the whole machine searched. Throws
 * `Error` for a pattern that is too long.
 */
export async function findLeftFiles(
  folder: string,
  pattern: string,
  { account, clock, most }: Finding,
): Promise<LeftFiles> {
  // A name may hold the signs of a pattern: "report [2].csv".
  const exact = await findLeftFile(folder, pattern, account);
  if (exact) return { files: [exact], refused: [], isCut: false };
  if (!/[*?[\]{}]/.test(pattern)) {
    const isThere = await lstat(resolve(folder, pattern)).catch(() => undefined);
    return { files: [], refused: isThere ? [pattern] : [], isCut: false };
  }
  const root = await realpath(folder);
  // A program may know its folder by either name; a pattern that leads elsewhere means nothing.
  const inside = [folder, root]
    .map((home) => relative(home, resolve(folder, pattern)))
    .find((each) => !/^\.\.(?:[/]|$)/.test(each));
  const paths = inside === undefined ? nothing() : filesIn(lookFor(inside, clock), root);
  return take(paths, { folder, account, most });
}

interface Look {
  readonly glob: PathGlob;
  /** A folder may hold any number of names that are not meant. */
  readonly breathe: () => Promise<void>;
}

const lookFor = (pattern: string, clock: Clock): Look => ({
  glob: compilePathGlob(pattern.replaceAll(sep, "/")),
  breathe: createBreath(clock, new AbortController().signal),
});

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

/** Paths below a folder that a pattern means, folders left out; `above` are the folders on the way. */
async function* filesIn(
  look: Look,
  root: string,
  at: readonly string[] = [],
  above: readonly string[] = [root],
): AsyncGenerator<string> {
  const entries = await readdir(join(root, ...at), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    await look.breathe();
    const names = [...at, entry.name];
    const path = join(...names);
    const isLink = entry.isSymbolicLink();
    const full = isLink ? await realpath(join(root, path)).catch(() => "") : join(root, path);
    const isFolder = isLink ? await isFolderAt(full) : entry.isDirectory();
    if (!isFolder && look.glob.isMeant(names)) yield path;
    // A link may lead back, and out of the folder.
    if (isFolder && full.startsWith(root + sep) && !above.includes(full) && look.glob.mayLead(names))
      yield* filesIn(look, root, names, [...above, full]);
  }
}

const isFolderAt = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
