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

/** From one index to another, backwards as well: a point, and the way to each next one. */
function wayOf({ times }: Lists, values: Values, frame: Frame, [first, last]: Stretch): string {
  const by = first <= last ? 1 : -1;
  let x = xOf(times[first] ?? 0, frame);
  let y = yOf(values[first] ?? 0, frame);
  let way = `${x} ${y}l0 0`;
  for (let at = first; at !== last; at += by) {
    const nextX = xOf(times[at + by] ?? 0, frame);
    const nextY = yOf(values[at + by] ?? 0, frame);
    way += ` ${nextX - x} ${nextY - y}`;
    x = nextX;
    y = nextY;
  }
  return way;
}

/** A line with its gaps; a value alone is a dot. */
export const linePath = (lists: Lists, values: Values, frame: Frame): string =>
  stretchesOf(lists, values)
    .map((stretch) => `M${wayOf(lists, values, frame, stretch)}`)
    .join("");

/** What lies between a line and zero, or the edge that is nearest to it. */
export function areaPath(lists: Lists, values: Values, frame: Frame): string {
  const ground = yOf(Math.min(frame.high, Math.max(frame.low, 0)), frame);
  return stretchesOf(lists, values)
    .map((stretch) => {
      const x = xOf(lists.times[stretch[0]] ?? 0, frame);
      return `M${x} ${ground}L${wayOf(lists, values, frame, stretch)}V${ground}Z`;
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
    .map(([first, last]) => `M${wayOf(lists, high, frame, [first, last])}L${wayOf(lists, low, frame, [last, first])}Z`)
    .join("");
