import type { LogBuffer } from "../buffer.ts";

const CHUNK = 1024;

/** Position of a row: its line number, and its index within that line. */
export interface RowPlace {
  readonly line: number;
  readonly row: number;
}

/** Maps the lines of a log to rows on the screen: one row per line, or several if long lines are wrapped. */
export class LogRows {
  readonly #buffer: LogBuffer;
  /** Width of the view in columns; 0 = lines are not wrapped. */
  readonly #width: number;
  /** Number of rows before each chunk of lines; used only while lines are wrapped. */
  #before: number[] = [0];
  #known: number;
  #dropped: number;
  #total = 0;

  constructor(buffer: LogBuffer, width: number) {
    this.#buffer = buffer;
    this.#width = width;
    this.#known = buffer.dropped;
    this.#dropped = buffer.dropped;
    this.refresh();
  }

  get total(): number {
    return this.#width === 0 ? this.#buffer.count - this.#buffer.dropped : this.#total;
  }

  heightOf(line: number): number {
    return this.#width === 0 ? 1 : Math.max(1, Math.ceil(this.#buffer.columns(line) / this.#width));
  }

  /** Counts the rows of lines that have arrived since. */
  refresh(): void {
    if (this.#width === 0) return;
    const { count, dropped } = this.#buffer;
    if (dropped !== this.#dropped) this.#reset(dropped);
    // The last line may have grown, so it is counted again.
    if (this.#known > this.#dropped) {
      this.#known -= 1;
      this.#total -= this.#last;
    }
    for (let line = this.#known; line < count; line += 1) {
      if ((line - this.#dropped) % CHUNK === 0) this.#before[(line - this.#dropped) / CHUNK] = this.#total;
      this.#last = this.heightOf(line);
      this.#total += this.#last;
    }
    this.#known = count;
  }
  #last = 0;

  #reset(dropped: number): void {
    this.#dropped = dropped;
    this.#known = dropped;
    this.#before = [0];
    this.#total = 0;
  }

  /** The line that a row belongs to. */
  at(row: number): RowPlace {
    const first = this.#buffer.dropped;
    if (this.#width === 0) return { line: first + row, row: 0 };
    let chunk = this.#before.findIndex((before) => before > row);
    chunk = (chunk === -1 ? this.#before.length : chunk) - 1;
    let left = row - (this.#before[chunk] ?? 0);
    for (let line = first + chunk * CHUNK; ; line += 1) {
      const height = this.heightOf(line);
      if (left < height || line >= this.#buffer.count - 1) return { line, row: Math.min(left, height - 1) };
      left -= height;
    }
  }

  /** The first row of a line. */
  rowOf(line: number): number {
    const index = Math.max(0, line - this.#buffer.dropped);
    if (this.#width === 0) return index;
    const chunk = Math.min(this.#before.length - 1, Math.floor(index / CHUNK));
    let row = this.#before[chunk] ?? 0;
    const first = this.#buffer.dropped + chunk * CHUNK;
    for (let at = first; at < Math.min(line, this.#buffer.count); at += 1) row += this.heightOf(at);
    return row;
  }
}
