import type { Drawing, Values } from "./drawing.ts";

/** Units of a drawing, which its box stretches to its own size. Whole numbers keep paths short, and are finer than pixels. */
export const WIDE = 2000;
export const TALL = 1000;

/** Times and values at the edges of a drawing. */
export interface Frame {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
}

type Lists = Pick<Drawing, "times" | "step">;
type Stretch = readonly [first: number, last: number];

/** Whole units of a time from the left edge, and of a value from the top. */
export const xOf = (at: number, { from, to }: Frame): number => Math.round(((at - from) / (to - from)) * WIDE);
export const yOf = (value: number, { low, high }: Frame): number => Math.round(((high - value) / (high - low)) * TALL);

/** Indexes of late reports, cached because the charts of a page share one list of times. */
let late = { times: [] as readonly number[], step: 0, at: [] as readonly number[] };

function lateIn({ times, step }: Lists): readonly number[] {
  if (late.times !== times || late.step !== step) {
    const at: number[] = [];
    for (let next = 1; next < times.length; next += 1)
      if ((times[next] as number) - (times[next - 1] as number) > step * 1.5) at.push(next);
    late = { times, step, at };
  }
  return late.at;
}

/** Index ranges without a gap: no value is missing, and none is late. */
export function stretchesOf(lists: Lists, values: Values): Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  for (const to of [...lateIn(lists), values.length]) {
    while (from < to) {
      const missing = values.indexOf(null, from);
      const end = missing < 0 || missing > to ? to : missing;
      if (end > from) found.push([from, end - 1]);
      from = end + 1;
    }
    from = to;
  }
  return found;
}

/** Columns of the width; in a chart 500 px wide, each is two pixels. Finer ones look the same and cost more. */
const COLUMNS = 240;

/** Indexes to draw: both ends, and the lowest and highest of each column that holds more than two values. */
export function drawnOf({ times }: Lists, values: Values, frame: Frame, [first, last]: Stretch): number[] {
  const width = (xOf(times[last] ?? 0, frame) - xOf(times[first] ?? 0, frame)) / WIDE;
  const each = (last - first + 1) / Math.max(1, Math.ceil(width * COLUMNS));
  if (each <= 2) return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const found: number[] = [first];
  const add = (index: number): void => {
    if (index > (found[found.length - 1] as number)) found.push(index);
  };
  for (let from = first; from <= last; from += each) {
    const to = Math.min(last + 1, Math.floor(from + each));
    let low = Math.floor(from);
    let high = low;
    for (let at = low + 1; at < to; at += 1) {
      if ((values[at] as number) < (values[low] as number)) low = at;
      else if ((values[at] as number) > (values[high] as number)) high = at;
    }
    add(Math.min(low, high));
    add(Math.max(low, high));
  }
  add(last);
  return found;
}

/** A path through the values at these indexes: a point, then the offset to each next one. */
function wayOf({ times }: Lists, values: Values, frame: Frame, indexes: readonly number[]): string {
  let [x, y, way] = [0, 0, ""];
  for (const index of indexes) {
    const nextX = xOf(times[index] ?? 0, frame);
    const nextY = yOf(values[index] ?? 0, frame);
    way += way === "" ? `${nextX} ${nextY}l0 0` : ` ${nextX - x} ${nextY - y}`;
    x = nextX;
    y = nextY;
  }
  return way;
}

/** A stretch as drawn: its times, and the path through its points. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly along: string;
}

export const waysOf = (lists: Lists, values: Values, frame: Frame): Way[] =>
  stretchesOf(lists, values).map((stretch) => {
    const [from = 0, to = 0] = stretch.map((at) => lists.times[at]);
    return { from, to, along: wayOf(lists, values, frame, drawnOf(lists, values, frame, stretch)) };
  });

/** Start and end of each gap between two stretches. */
export const gapsOf = (ways: readonly Way[]): [number, number][] =>
  ways.slice(1).map(({ from }, before) => [(ways[before] as Way).to, from]);

/** A line with its gaps; a single value is a dot. */
export const linePath = (ways: readonly Way[]): string => ways.map(({ along }) => `M${along}`).join("");

/** The area between a line and zero, or the edge of the frame nearest to zero. */
export function areaPath(ways: readonly Way[], frame: Frame): string {
  const ground = yOf(Math.min(frame.high, Math.max(frame.low, 0)), frame);
  return ways.map(({ from, along }) => `M${xOf(from, frame)} ${ground}L${along}V${ground}Z`).join("");
}

/** The area between two lines whose gaps coincide. */
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
