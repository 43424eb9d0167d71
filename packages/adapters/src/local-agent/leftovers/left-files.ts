import { lstat, readdir, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { type Clock, compilePathGlob, createBreath, type LeftFile, type PathGlob } from "@signalbox/core/adapter";
import type { Account } from "../job/job-folder.ts";
import { findLeftFile } from "./left-file.ts";

export interface LeftFiles {
  readonly files: readonly LeftFile[];
  /** Paths that were named but lead outside the folder, or belong to another user. */
  readonly refused: readonly string[];
  /** True when there are more files than `most`. */
  readonly isCut: boolean;
}

export interface Finding {
  readonly account: Account;
  readonly clock: Clock;
  readonly most: number;
}

/**
 * Finds files below a folder by a path or a glob, sorted by path. Never searches other folders: the pattern comes from a program
 * that may have fewer rights than this process, and that could otherwise have the whole machine searched. Throws `Error` for a
 * pattern that is too long.
 */
export async function findLeftFiles(
  folder: string,
  pattern: string,
  { account, clock, most }: Finding,
): Promise<LeftFiles> {
  // A file name may contain the characters of a glob: "report [2].csv".
  const exact = await findLeftFile(folder, pattern, account);
  if (exact) return { files: [exact], refused: [], isCut: false };
  if (!/[*?[\]{}]/.test(pattern)) {
    const isThere = await lstat(resolve(folder, pattern)).catch(() => undefined);
    return { files: [], refused: isThere ? [pattern] : [], isCut: false };
  }
  const root = await realpath(folder);
  // A program may know its folder by the given or the resolved path; a pattern that leads elsewhere matches nothing.
  const inside = [folder, root]
    .map((home) => relative(home, resolve(folder, pattern)))
    .find((each) => !/^\.\.(?:[/]|$)/.test(each));
  const paths = inside === undefined ? nothing() : filesIn(lookFor(inside, clock), root);
  return take(paths, { folder, account, most });
}

interface Look {
  readonly glob: PathGlob;
  /** Yields to other work, because a folder may hold any number of names that do not match. */
  readonly breathe: () => Promise<void>;
}

const lookFor = (pattern: string, clock: Clock): Look => ({
  glob: compilePathGlob(pattern.replaceAll(sep, "/")),
  breathe: createBreath(clock),
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
    // Several links may lead to the same file.
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

/** Paths below a folder that match a glob, without folders. `above` holds the enclosing folders. */
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
    // A link may lead out of the folder, or back to an enclosing one.
    if (isFolder && full.startsWith(root + sep) && !above.includes(full) && look.glob.mayLead(names))
      yield* filesIn(look, root, names, [...above, full]);
  }
}

const isFolderAt = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
