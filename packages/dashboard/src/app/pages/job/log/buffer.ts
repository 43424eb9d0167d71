import { columnsOf, isPlain, levelOf, textOf } from "./ansi.ts";

/** Maximum number of lines kept in the page; the oldest are dropped. */
const MAX_LINES = 300_000;
/** Number of lines dropped at once, so that dropping is rare. */
const STEP = 30_000;
/** Number of columns of a line that are drawn and searched; the download contains the rest. */
export const MAX_COLUMNS = 4000;

export type Level = "" | "warn" | "err";
const LEVELS: readonly Level[] = ["", "warn", "err"];

/**
 * Lines of a log, fed piece by piece. Each line is analysed once, when it arrives. Line numbers count from the first
 * line ever received, even after the oldest have been dropped.
 */
export class LogBuffer {
  readonly #lines: string[] = [];
  /** Per line: bit 0 = more than plain text; higher bits = index of the level. */
  #flags = new Uint8Array(1024);
  #columns = new Uint16Array(1024);
  /** Line numbers by level, for the ruler. */
  readonly marked: { readonly warn: number[]; readonly err: number[] } = { warn: [], err: [] };
  /** True while the last line has no line break and may continue. */
  #isOpen = false;
  #dropped = 0;
  /** Width of the widest line so far, in columns. */
  widest = 0;

  /** Number of lines received, including an incomplete last one and those already dropped. */
  get count(): number {
    return this.#dropped + this.#lines.length;
  }
  /** Number of lines dropped. */
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
   * Appends text line by line from index `from`, until `until` returns true. Returns the index where it stopped: the
   * length of the text if it took all.
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

  /** Appends a line, or continues an incomplete last one. */
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
