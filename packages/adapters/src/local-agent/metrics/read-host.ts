import { closeSync, type Dir, opendirSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

/** Names that the kernel is asked for together. */
const NAMES_AT_ONCE = 256;
/** Lines longer than this are no table rows. */
const MAX_LINE = 1_048_576;

/** Text of a small kernel file; undefined when it is absent, withheld, or its process has ended. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    // A measurement that cannot be taken is left out; every kernel and container offers another set of files.
    return undefined;
  }
}

/**
 * Like `readText`, but at once, for files that the kernel writes out of its memory, which takes 10 to 100 µs and waits
 * for no disk and no other process: counters of the machine, facts of a link, and the `stat` of a process. The thread
 * pool is asked five times for a file, and made a sample six times dearer. A list of them is read `inSlices`.
 */
export function readNow(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // As above.
    return "";
  }
}

/** Target of a link of the kernel, at once; undefined when the link is gone. */
export function linkNow(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // As above.
    return undefined;
  }
}

/** The first names in a folder of the kernel, at once; a process may have a million open files. */
export function firstNamesNow(path: string, most: number): string[] {
  const names: string[] = [];
  let folder: Dir | undefined;
  try {
    folder = opendirSync(path, { bufferSize: NAMES_AT_ONCE });
    for (let entry = folder.readSync(); entry && names.length < most; entry = folder.readSync()) names.push(entry.name);
  } catch {
    // A folder that is gone or closed to us has no more names; the ones read so far stand.
  } finally {
    folder?.closeSync();
  }
  return names;
}

/** Names in a folder; none when it is absent or withheld. */
export async function readNames(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch {
    // As above: absent means nothing to report.
    return [];
  }
}

/** Numbers of the processes of this machine. */
export async function readPids(): Promise<string[]> {
  return (await readNames("/proc")).filter((name) => /^\d+$/.test(name));
}

/** Bytes of a kernel table read in one turn of the event loop: some hundred lines, in a third of a millisecond. */
const TURN_BYTES = 65_536;

/** Lines of a table of the kernel that may be large, some of them in each turn of the event loop. */
export async function* readLines(path: string): AsyncGenerator<string[]> {
  let rest = "";
  for await (const piece of readPieces(path)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) return;
    yield lines;
  }
  if (rest) yield [rest];
}

async function* readPieces(path: string): AsyncGenerator<string> {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const bytes = Buffer.allocUnsafe(TURN_BYTES);
    for (;;) {
      const length = fill(file, bytes);
      if (length > 0) yield bytes.toString("latin1", 0, length);
      if (length < TURN_BYTES) return;
      await nextTurn();
    }
  } catch {
    // As above; entries read so far stand.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The kernel gives a page at a time. */
function fill(file: number, bytes: Buffer): number {
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

/**
 * Runs `work` over items, `width` in a turn, so that a long list never fills the thread pool or one turn of the loop.
 */
export async function inSlices<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R | undefined> | R | undefined,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += width) {
    const slice = await Promise.all(items.slice(start, start + width).map(work));
    for (const result of slice) if (result !== undefined) results.push(result);
    if (start + width < items.length) await nextTurn();
  }
  return results;
}

/** Lets the event loop do other work, before a long list is worked on further. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Whole numbers of a row, from column `from` on. */
export function numbersOf(columns: readonly string[], from: number): number[] {
  return columns.slice(from).map((column) => Number(column) || 0);
}

/** Cuts to two decimals, as the readings of satellites are: 99.999 is not yet 100. */
export function floorTo2(value: number): number {
  return Number.isFinite(value) ? Math.floor(value * 100) / 100 : 0;
}
