import { compileLineFilter, type LineFilter } from "../../expressions/index.ts";

/** Columns of a line, in their order (docs/contract/administration.md#logs). */
export const COLUMNS = [
  ...["hires_epoch", "date", "hostname", "pid", "component"],
  ...["category", "code", "msg", "data"],
] as const;

/** A line as its columns, by name. */
export type LogRow = Readonly<Record<string, string>>;

/**
 * Splits a line into its columns; a line of another format becomes `msg` as a whole. Only `data`, the last column, may contain
 * brackets.
 */
export function rowOf(line: string, columns: readonly string[] = COLUMNS): LogRow {
  const parts = line.startsWith("[") && line.endsWith("]") ? line.slice(1, -1).split("][") : [];
  const last = COLUMNS.length - 1;
  const cells = parts.length <= last ? undefined : [...parts.slice(0, last), parts.slice(last).join("][")];
  const all = COLUMNS.map((column, index) => [column, cells?.[index] ?? (column === "msg" && !cells ? line : "")]);
  return Object.fromEntries(all.filter(([column]) => columns.includes(column as string)));
}

export interface Sought {
  readonly match: string;
  /** True = the text is a pattern. */
  readonly regex: boolean;
  /** True = case counts. */
  readonly isExact: boolean;
}

/** Selects the matching lines. Throws `Error` for a malformed or too complex pattern. */
export function filterOf({ match, regex, isExact }: Sought): LineFilter {
  if (match === "") return (lines) => [...lines];
  if (regex) return compileLineFilter(match, { ignoreCase: !isExact });
  const sought = isExact ? match : match.toLowerCase();
  return (lines) => lines.filter((line) => (isExact ? line : line.toLowerCase()).includes(sought));
}

/** Characters of a line that are examined; the rest is ignored, since a file may contain anything. */
const MAX_LINE = 65_536;

export interface Lines {
  /** The lines that a piece of the file completes. */
  take(text: string): string[];
  /** The last line, when the file ends without a line feed. */
  rest(): string[];
}

/** Splits a file into lines, piece by piece. Keeps only the beginning of a line longer than the bound. */
export function createLines(): Lines {
  let open = "";
  return {
    take(text) {
      const [first = "", ...more] = text.split("\n");
      open = (open + first).slice(0, MAX_LINE);
      if (more.length === 0) return [];
      const lines = [open, ...more.slice(0, -1).map((line) => line.slice(0, MAX_LINE))];
      open = (more.at(-1) ?? "").slice(0, MAX_LINE);
      return lines;
    },
    rest: () => (open === "" ? [] : [open]),
  };
}

/** Keeps the newest `count` values, in the order in which they came. */
export function createNewest<T>(count: number) {
  const ring: T[] = [];
  let next = 0;
  return {
    add(item: T): void {
      ring[next] = item;
      next = (next + 1) % count;
    },
    list: (): T[] => (ring.length < count ? ring : [...ring.slice(next), ...ring.slice(0, next)]),
  };
}
