import { textOf } from "./ansi.ts";
import { type LogBuffer, MAX_COLUMNS } from "./buffer.ts";

/** Pattern to search for; undefined without a query. */
export type Needle = RegExp | undefined;

const LITERAL = /[.*+?^${}()|[\]\\]/g;

/** Parses plain text, or `/pattern/`. Plain text without capitals ignores case. Throws `SyntaxError` for an invalid pattern. */
export function needleOf(query: string): Needle {
  if (query === "") return undefined;
  const [, pattern, flags = ""] = /^\/(.+)\/([imsu]*)$/s.exec(query) ?? [];
  if (pattern !== undefined) return new RegExp(pattern, `g${flags}`);
  return new RegExp(query.replace(LITERAL, "\\$&"), query === query.toLowerCase() ? "gi" : "g");
}

/** The text of a line as it is searched and drawn. */
export const searchedText = (buffer: LogBuffer, line: number): string => {
  const text = buffer.line(line);
  return (buffer.isPlain(line) ? text : textOf(text)).slice(0, MAX_COLUMNS);
};

/** Maximum number of matching lines kept, because a search for a single letter matches nearly all of them. */
const MAX_FOUND = 100_000;

/** Searches a log in turns, including lines that arrive later. */
export class LogSearch {
  readonly #buffer: LogBuffer;
  readonly #needle: RegExp;
  /** Numbers of the matching lines, ascending. */
  readonly found: number[] = [];
  #next: number;

  constructor(buffer: LogBuffer, needle: RegExp) {
    this.#buffer = buffer;
    this.#needle = needle;
    this.#next = buffer.dropped;
  }

  get isDone(): boolean {
    return this.#next >= this.#buffer.count || this.found.length >= MAX_FOUND;
  }

  /** Continues until `until` returns true. Searches the last line again, because it may still have grown. */
  step(until: () => boolean): void {
    const { count, dropped } = this.#buffer;
    this.#next = Math.max(this.#next - 1, dropped);
    if (this.found.at(-1) === this.#next) this.found.pop();
    for (let seen = 0; this.#next < count && this.found.length < MAX_FOUND; seen += 1, this.#next += 1) {
      if (seen % 32 === 31 && until()) return;
      this.#needle.lastIndex = 0;
      if (this.#needle.test(searchedText(this.#buffer, this.#next))) this.found.push(this.#next);
    }
  }
}

/** Index of the first number in an ascending list that is at least `value`. */
export function placeIn(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next or previous matching line relative to `line`, wrapping around at the ends. */
export function neighbour(found: readonly number[], line: number, direction: 1 | -1): number | undefined {
  const at = placeIn(found, direction === 1 ? line + 1 : line) + (direction === 1 ? 0 : -1);
  return found[(at + found.length) % found.length];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Ranges of the matches in a text. Empty matches are left out. */
export function spansOf(text: string, needle: Needle): Span[] {
  if (!needle) return [];
  needle.lastIndex = 0;
  const spans: Span[] = [];
  for (const match of text.matchAll(needle))
    if (match[0].length > 0) spans.push({ from: match.index, to: match.index + match[0].length });
  return spans;
}
