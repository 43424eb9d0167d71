import { isRecord } from "../../data/records/is-record.ts";

/** One member that differs between two records. */
export interface Change {
  /** Names from the outermost inwards, joined as `limits 2 › amount`. */
  readonly path: readonly string[];
  /** Undefined if the record does not have the member. */
  readonly before: unknown;
  readonly after: unknown;
}

const isListOfRecords = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.some(isRecord);

const DEEPEST = 6;
/** Most changes in one comparison; nobody would read more. */
const MOST = 200;

const isSame = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Differences between two records, without the top-level members in `ignored`. Empty and absent count as equal. */
export function compare(before: unknown, after: unknown, ignored: ReadonlySet<string> = new Set()): readonly Change[] {
  const found: Change[] = [];
  walk({ path: [], before, after }, found, ignored);
  return found;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

function walk(change: Change, found: Change[], ignored: ReadonlySet<string>): void {
  const { path, before, after } = change;
  if (isSame(before, after) || (isEmpty(before) && isEmpty(after))) return;
  const inner = path.length < DEEPEST ? membersOf(before, after) : undefined;
  if (!inner) {
    if (found.length < MOST) found.push(change);
    return;
  }
  for (const member of inner)
    if (path.length > 0 || !ignored.has(member.name))
      walk({ before: member.before, after: member.after, path: [...path, member.name] }, found, ignored);
}

/** Pairs the members of two records, or of two lists of records; undefined for anything else. */
function membersOf(before: unknown, after: unknown) {
  const areLists = isListOfRecords(before) && isListOfRecords(after);
  if (!areLists && !(isRecord(before) && isRecord(after))) return undefined;
  const [left, right] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].map((key) => ({
    name: areLists ? String(Number(key) + 1) : key,
    before: left[key],
    after: right[key],
  }));
}

/** A line of a text: unchanged, removed or added. */
export interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** Most lines of a text that are compared; longer texts are shown one after the other. */
const MOST_LINES = 400;

/** Compares two texts line by line, by their longest common subsequence. */
export function compareLines(before: string, after: string): readonly Line[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const gone = left.map((text): Line => ({ sign: "-", text }));
  const fresh = right.map((text): Line => ({ sign: "+", text }));
  if (left.length > MOST_LINES || right.length > MOST_LINES) return [...gone, ...fresh];
  return inTurn(gone, fresh, commonLengths(left, right));
}

/** Walks both texts, each time on the side that keeps the longer common subsequence. */
function inTurn(
  gone: readonly Line[],
  fresh: readonly Line[],
  common: readonly (readonly number[])[],
): readonly Line[] {
  const lines: Line[] = [];
  const longest = (row: number, column: number): number => common[row]?.[column] ?? 0;
  let [at, to] = [0, 0];
  for (let [old, next] = [gone[0], fresh[0]]; old && next; [old, next] = [gone[at], fresh[to]]) {
    const isKept = old.text === next.text;
    const isGone = isKept || longest(at + 1, to) >= longest(at, to + 1);
    lines.push(isKept ? { sign: " ", text: old.text } : isGone ? old : next);
    at += Number(isGone);
    to += Number(isKept || !isGone);
  }
  return [...lines, ...gone.slice(at), ...fresh.slice(to)];
}

/** Length of the longest common subsequence of the rest, from each pair of lines on. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let at = left.length - 1; at >= 0; at -= 1)
    for (let to = right.length - 1; to >= 0; to -= 1) {
      const [row, below] = [table[at] ?? [], table[at + 1] ?? []];
      row[to] = left[at] === right[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0);
    }
  return table;
}

/** Number of unchanged lines shown before and after a change. */
const AROUND = 2;

/** Only lines near a change, with undefined where others were left out. */
export const nearChanges = (lines: readonly Line[]): readonly (Line | undefined)[] =>
  lines.flatMap((line, at) => {
    const isNear = lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== " ");
    if (isNear) return [line];
    return at > 0 && lines.slice(Math.max(0, at - 1 - AROUND), at + AROUND).some(({ sign }) => sign !== " ")
      ? [undefined]
      : [];
  });
