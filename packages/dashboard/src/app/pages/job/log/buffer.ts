import { columnsOf, isPlain, levelOf, textOf } from "./ansi.ts";

/** Lines of a log that a page keeps: the newest. */
const MAX_LINES = 300_000;
/** Dropped at once, so that dropping is rare. */
const STEP = 30_000;
/** Longest line that is drawn and searched: the rest of it is in the download. */
export const MAX_COLUMNS = 4000;

export type Level = "" | "warn" | "err";
const LEVELS: readonly Level[] = ["", "warn", "err"];

/**
 * Lines of a log, taken in piece by piece: each line is worked out once, when it comes. Numbers count from the
 * first line that ever came, also when the oldest have been dropped.
 */
export class LogBuffer {
  readonly #lines: string[] = [];
  /** Bit 0: more than plain text; above it the level. */
  #flags = new Uint8Array(1024);
  #columns = new Uint16Array(1024);
  /** Numbers of lines of a level, for the ruler. */
  readonly marked: { readonly warn: number[]; readonly err: number[] } = { warn: [], err: [] };
  /** The last line may go on. */
  #isOpen = false;
  #dropped = 0;
  /** Longest line so far, in columns. */
  widest = 0;

  /** Lines that are whole, and the last one as far as it has come. */
  get count(): number {
    return this.#dropped + this.#lines.length;
  }
  /** Lines that are kept no more. */
  get dropped(): number {
    return this.#dropped;
  }

  line(number: number): string {
    return this.#lines[number - this.#dropped] ?? "";
  }
  columns(number: number): number {
    return this.#columns[number - this.#dropped] ?? 0;
  }
  isPlain(number: number): boolean {
    return ((this.#flags[number - this.#dropped] ?? 0) & 1) === 0;
  }
  level(number: number): Level {
    return LEVELS[(this.#flags[number - this.#dropped] ?? 0) >> 1] ?? "";
  }

  /**
   * Takes text in, line by line from `from`, until `until` says that it is enough. Answers where it stopped, which is the
   * length of the text when all of it was taken.
   */
  take(text: string, from: number, until: () => boolean): number {
    let at = from;
    for (let lines = 0; at < text.length; lines += 1) {
      if (lines % 64 === 63 && until()) return at;
      const end = text.indexOf("\n", at);
      this.#put(text.slice(at, end === -1 ? text.length : end));
      this.#isOpen = end === -1;
      at = end === -1 ? text.length : end + 1;
    }
    return at;
  }

  /** Puts a line at the end, or goes on with the one that had only begun. */
  #put(piece: string): void {
    const last = this.#lines.length - 1;
    if (this.#isOpen) this.#forget(last);
    const index = this.#isOpen ? last : last + 1;
    this.#lines[index] = this.#isOpen ? (this.#lines[last] ?? "") + piece : piece;
    this.#describe(index, this.#lines[index] ?? "");
    if (this.#lines.length > MAX_LINES) this.#drop(STEP);
  }

  #describe(index: number, line: string): void {
    if (index >= this.#flags.length) this.#grow();
    const isSimple = isPlain(line);
    const text = isSimple ? line : textOf(line);
    const level = levelOf(text);
    this.#flags[index] = (LEVELS.indexOf(level) << 1) | (isSimple ? 0 : 1);
    const columns = Math.min(MAX_COLUMNS, columnsOf(text.length > MAX_COLUMNS ? text.slice(0, MAX_COLUMNS) : text));
    this.#columns[index] = columns;
    if (columns > this.widest) this.widest = columns;
    if (level) this.marked[level].push(index + this.#dropped);
  }

  #forget(index: number): void {
    const level = this.level(index + this.#dropped);
    if (level) this.marked[level].pop();
  }

  #grow(): void {
    const flags = new Uint8Array(this.#flags.length * 2);
    flags.set(this.#flags);
    this.#flags = flags;
    const columns = new Uint16Array(this.#columns.length * 2);
    columns.set(this.#columns);
    this.#columns = columns;
  }

  #drop(count: number): void {
    this.#lines.splice(0, count);
    this.#flags.copyWithin(0, count);
    this.#columns.copyWithin(0, count);
    this.#dropped += count;
    for (const level of ["warn", "err"] as const) {
      const numbers = this.marked[level];
      const first = numbers.findIndex((number) => number >= this.#dropped);
      numbers.splice(0, first === -1 ? numbers.length : first);
    }
  }
}
