import { textOf } from "./ansi.ts";
import { type LogBuffer, MAX_COLUMNS } from "./buffer.ts";

/** Pattern to look for in lines; undefined without one, a text for a pattern that is none. */
export type Needle = RegExp | undefined;

const LITERAL = /[.*+?^${}()|[\]\\]/g;

/** Plain text, or `/pattern/`. Plain text without capitals is found in any case. Throws `SyntaxError` for a bad pattern. */
export function needleOf(query: string): Needle {
  if (query === "") return undefined;
  const [, pattern, flags = ""] = /^\/(.+)\/([imsu]*)$/s.exec(query) ?? [];
  if (pattern !== undefined) return new RegExp(pattern, `g${flags}`);
  return new RegExp(query.replace(LITERAL, "\\$&"), query === query.toLowerCase() ? "gi" : "g");
}

/** The text of a line that is searched and drawn. */
export const searchedText = (buffer: LogBuffer, line: number): string => {
  const text = buffer.line(line);
  return (buffer.isPlain(line) ? text : textOf(text)).slice(0, MAX_COLUMNS);
};

/** Most lines that are noted: a search for a letter finds all of them. */
const MAX_FOUND = 100_000;

/** Looks through a log in turns, and through lines that come later. */
export class LogSearch {
  readonly #buffer: LogBuffer;
  readonly #needle: RegExp;
  /** Numbers of lines that hold it, rising. */
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

  /** Goes on until `until` says that it is enough. The last line may still grow: it is looked at again. */
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

/** Place of the first number that is at least so large, in a rising list. */
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

/** The line before or behind `line` that was found, from the other end when there is none. */
export function neighbour(found: readonly number[], line: number, direction: 1 | -1): number | undefined {
  const at = placeIn(found, direction === 1 ? line + 1 : line) + (direction === 1 ? 0 : -1);
  return found[(at + found.length) % found.length];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Spans of the matches in a text; an empty match marks nothing. */
export function spansOf(text: string, needle: Needle): Span[] {
  if (!needle) return [];
  needle.lastIndex = 0;
  const spans: Span[] = [];
  for (const match of text.matchAll(needle))
    if (match[0].length > 0) spans.push({ from: match.index, to: match.index + match[0].length });
  return spans;
}
