import type { Tone } from "../../basic/basic.tsx";

export type Values = readonly (number | null)[];

export interface Line {
  readonly name: string;
  readonly values: Values;
}

/** When a rule fired, in Unix seconds, and the tone of its severity. */
export type Fired = readonly [from: number, to: number, tone: Tone];

/** Content of one chart. All lists of values are as long as `times`. */
export interface Drawing {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Line[];
  /** The lines show the same quantity of several things and may coincide. */
  readonly isAlike?: boolean | undefined;
  /** From the lowest to the highest value of many. */
  readonly band?: { readonly name: string; readonly low: Values; readonly high: Values } | undefined;
  readonly from: number;
  readonly to: number;
  /** Seconds between two readings. */
  readonly step: number;
  readonly limit?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly isClose?: boolean | undefined;
  readonly firing?: readonly Fired[] | undefined;
}

/** All lines of a chart that have numbers; a band counts as its two edges. */
export const linesOf = ({ series, band }: Pick<Drawing, "series" | "band">): readonly Line[] =>
  band
    ? [...series, { name: `${band.name} ↓`, values: band.low }, { name: `${band.name} ↑`, values: band.high }]
    : series;

/** Lowest, highest and last value of a list. */
export interface Extent {
  readonly low: number;
  readonly lowAt: number;
  readonly high: number;
  readonly highAt: number;
  readonly last: number;
}

const isNumber = (value: number | null): value is number => value !== null;

/**
 * The extent of a list of values; undefined if all are missing. Built-in functions search ten times as fast as a loop that is not
 * compiled yet, and a page that was just opened has compiled none.
 */
export function extentOf(values: Values): Extent | undefined {
  const known = values.includes(null) ? values.filter(isNumber) : (values as readonly number[]);
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return { low, lowAt: values.indexOf(low), high, highAt: values.indexOf(high), last };
}
