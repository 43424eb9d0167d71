import type { Drawing, Values } from "./drawing.ts";

/** Units of a drawing, which its box stretches to its own size: whole numbers make short texts, and are finer than pixels. */
export const WIDE = 2000;
export const TALL = 1000;

/** What lies at the edges of a drawing. */
export interface Frame {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
}

type Lists = Pick<Drawing, "times" | "step">;
type Stretch = readonly [first: number, last: number];

/** Whole unit of a time from the left, and of a value from the top. */
export const xOf = (at: number, { from, to }: Frame): number => Math.round(((at - from) / (to - from)) * WIDE);
export const yOf = (value: number, { low, high }: Frame): number => Math.round(((high - value) / (high - low)) * TALL);

/** Indexes of values that follow each other without a gap: none is missing, and none comes late. */
export function stretchesOf({ times, step }: Lists, values: Values): Stretch[] {
  const found: Stretch[] = [];
  let first = -1;
  for (let at = 0; at <= values.length; at += 1) {
    const isThere = (values[at] ?? null) !== null;
    const isLate = first >= 0 && (times[at] ?? 0) - (times[at - 1] ?? 0) > step * 1.5;
    if (first >= 0 && (!isThere || isLate)) {
      found.push([first, at - 1]);
      first = -1;
    }
    if (isThere && first < 0) first = at;
  }
  return found;
}

/** Times between two stretches. */
export const gapsOf = (lists: Lists, values: Values): [number, number][] =>
  stretchesOf(lists, values)
    .map(([, last], at, all) => [last, all[at + 1]?.[0] ?? last] as const)
    .filter(([last, next]) => next > last)
    .map(([last, next]) => [lists.times[last] ?? 0, lists.times[next] ?? 0]);

/** Columns that are told apart: a chart is some five hundred pixels wide, and each point more costs in painting. */
const COLUMNS = 480;

/** Where the lowest and the highest of some values are, in the order of time. */
function extremes(values: Values, from: number, to: number): [number, number] {
  const valueAt = (at: number): number => values[at] ?? 0;
  let [low, high] = [from, from];
  for (let at = from + 1; at < to; at += 1) {
    if (valueAt(at) < valueAt(low)) low = at;
    if (valueAt(at) > valueAt(high)) high = at;
  }
  return [Math.min(low, high), Math.max(low, high)];
}

/** Indexes that are drawn: of a column that holds more than two values, the lowest and the highest alone, and both ends. */
export function drawnOf({ times }: Lists, values: Values, frame: Frame, [first, last]: Stretch): number[] {
  const width = (xOf(times[last] ?? 0, frame) - xOf(times[first] ?? 0, frame)) / WIDE;
  const each = (last - first + 1) / Math.max(1, Math.ceil(width * COLUMNS));
  if (each <= 2) return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const found = new Set([first]);
  for (let from = first; from <= last; from += each)
    for (const index of extremes(values, Math.floor(from), Math.min(last + 1, Math.floor(from + each))))
      found.add(index);
  return [...found.add(last)];
}

/** Along indexes: a point, and the way to each next one. */
function wayOf({ times }: Lists, values: Values, frame: Frame, indexes: readonly number[]): string {
  let [x, y, way] = [0, 0, ""];
  for (const index of indexes) {
    const [nextX, nextY] = [xOf(times[index] ?? 0, frame), yOf(values[index] ?? 0, frame)];
    way += way === "" ? `${nextX} ${nextY}l0 0` : ` ${nextX - x} ${nextY - y}`;
    [x, y] = [nextX, nextY];
  }
  return way;
}

/** A line with its gaps; a value alone is a dot. */
export const linePath = (lists: Lists, values: Values, frame: Frame): string =>
  stretchesOf(lists, values)
    .map((stretch) => `M${wayOf(lists, values, frame, drawnOf(lists, values, frame, stretch))}`)
    .join("");

/** What lies between a line and zero, or the edge that is nearest to it. */
export function areaPath(lists: Lists, values: Values, frame: Frame): string {
  const ground = yOf(Math.min(frame.high, Math.max(frame.low, 0)), frame);
  return stretchesOf(lists, values)
    .map((stretch) => {
      const x = xOf(lists.times[stretch[0]] ?? 0, frame);
      return `M${x} ${ground}L${wayOf(lists, values, frame, drawnOf(lists, values, frame, stretch))}V${ground}Z`;
    })
    .join("");
}

/** What lies between two lines that have their gaps together. */
export const bandPath = (
  lists: Lists,
  { low, high }: Pick<NonNullable<Drawing["band"]>, "low" | "high">,
  frame: Frame,
) =>
  stretchesOf(lists, high)
    .map((stretch) => {
      const [there, back] = [drawnOf(lists, high, frame, stretch), drawnOf(lists, low, frame, stretch).reverse()];
      return `M${wayOf(lists, high, frame, there)}L${wayOf(lists, low, frame, back)}Z`;
    })
    .join("");
