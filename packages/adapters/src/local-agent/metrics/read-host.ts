import { closeSync, type Dir, opendirSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";

/** Names that one call to the kernel returns at most. */
const NAMES_AT_ONCE = 256;
/** Longest line of a table, in characters; reading stops at a longer one. */
const MAX_LINE = 1_048_576;
const LINE_FEED = 10;
const ZERO = 48;
const NINE = 57;

/** Text of a small kernel file; undefined when it is missing, not readable, or its process has ended. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    // A reading that is not available is left out: every kernel and container has a different set of files.
    return undefined;
  }
}

/**
 * Like `readText`, but synchronous, for files that the kernel generates from memory. That takes 10 to 100 µs and waits for
 * neither a disk nor another process: counters of the machine, facts about a link, and the `stat` of a process. An asynchronous
 * read makes five calls to the thread pool for a file, and made a sample six times as expensive. For lists of files, use
 * `inSlices`.
 */
export function readNow(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // As in `readText`.
    return "";
  }
}

/** A small table of the kernel that is read again and again. */
export interface KernelTable {
  /** Its text now; empty when it is not readable. */
  read(): string;
  close(): void;
}

/** A table that does not fit is opened for each reading. */
const SMALL_TABLE = 16_384;

/** Keeps a table open from its first reading on, because opening it costs several times as much as reading it. */
export function keptOpen(path: string): KernelTable {
  const bytes = Buffer.allocUnsafeSlow(SMALL_TABLE);
  let file: number | undefined;
  let isClosed = false;
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    read() {
      if (isClosed) return readNow(path);
      try {
        file ??= openSync(path, "r");
        const length = fill(file, bytes, 0);
        return length < SMALL_TABLE ? bytes.toString("utf8", 0, length) : readNow(path);
      } catch {
        // What provides the file, such as a file system of containers, may have been restarted.
        close();
        return readNow(path);
      }
    },
    close() {
      isClosed = true;
      close();
    },
  };
}

/** Target of a kernel link, read synchronously; undefined when the link is gone. */
export function linkNow(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // As in `readText`.
    return undefined;
  }
}

/** The first names in a kernel folder, read synchronously. The bound exists because a process may have a million open files. */
export function firstNamesNow(path: string, most: number): string[] {
  const names: string[] = [];
  let folder: Dir | undefined;
  try {
    folder = opendirSync(path, { bufferSize: NAMES_AT_ONCE });
    for (let entry = folder.readSync(); entry && names.length < most; entry = folder.readSync()) names.push(entry.name);
  } catch {
    // The folder is gone or not readable; the names read so far are kept.
  } finally {
    folder?.closeSync();
  }
  return names;
}

/** Names in a folder; empty when it is missing or not readable. */
export async function readNames(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch {
    // As in `readText`: nothing to report.
    return [];
  }
}

/** Ids of the processes of this machine. */
export async function readPids(): Promise<string[]> {
  return (await readNames("/proc")).filter((name) => /^\d+$/.test(name));
}

/** Bytes of a kernel table read in one turn of the event loop: a few hundred lines, in a third of a millisecond. */
const TURN_BYTES = 65_536;

/** Lines of a kernel table that may be large, a part in each turn of the event loop. */
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
    // As in `readText`; the lines read so far are kept.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Reads until the buffer is full, because the kernel returns one page at a time; from where the last reading ended, or from
 * `start`.
 */
function fill(file: number, bytes: Buffer, start?: number): number {
  let length = 0;
  while (length < bytes.length) {
    const place = start === undefined ? null : start + length;
    const read = readSync(file, bytes, length, bytes.length - length, place);
    if (read === 0) break;
    length += read;
  }
  return length;
}

/**
 * Runs `work` over items, `width` of them in a turn, so that a long list fills neither the thread pool nor a turn of the event
 * loop.
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

/** Lets the event loop do other work before the next part of a long list. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Whole numbers of a row, from a place in the text to the end of the line. Character by character, because the tables of each
 * second would otherwise leave most of the garbage of a process at rest.
 */
export function numbersAt(text: string, place: number): number[] {
  const numbers: number[] = [];
  let value = -1;
  for (let index = place; ; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) value = Math.max(value, 0) * 10 + (code - ZERO);
    else if (value >= 0) {
      numbers.push(value);
      value = -1;
    }
    if (code === LINE_FEED || Number.isNaN(code)) return numbers;
  }
}

/** Calls `visit` for each line with a label and a colon: where its values begin, and where it ends. */
export function eachLabel(text: string, visit: (label: string, place: number, end: number) => void): void {
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = endOfLine(text, start);
    const colon = text.indexOf(":", start);
    if (colon >= 0 && colon < end) visit(text.slice(start, colon), colon + 1, end);
  }
}

/** Where the line that a place in the text belongs to ends. */
export function endOfLine(text: string, place: number): number {
  const end = text.indexOf("\n", place);
  return end < 0 ? text.length : end;
}

/** Truncates to two decimals, as satellites do: 99.999 is not yet 100. */
export function floorTo2(value: number): number {
  return Number.isFinite(value) ? Math.floor(value * 100) / 100 : 0;
}
