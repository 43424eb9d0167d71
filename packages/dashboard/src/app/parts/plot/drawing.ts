export type Values = readonly (number | null)[];

export interface Line {
  readonly name: string;
  readonly values: Values;
}

/** What one chart draws. All lists are as long as `times`. */
export interface Drawing {
  /** Unix seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Line[];
  /** From the lowest to the highest of many. */
  readonly band?: { readonly name: string; readonly low: Values; readonly high: Values } | undefined;
  readonly from: number;
  readonly to: number;
  /** Seconds between two reports. */
  readonly step: number;
  readonly limit?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly isClose?: boolean | undefined;
  readonly firing?: readonly (readonly [number, number])[] | undefined;
}

/** All that a chart has numbers of; a band by both of its edges. */
export const linesOf = ({ series, band }: Pick<Drawing, "series" | "band">): readonly Line[] =>
  band
    ? [...series, { name: `${band.name} ↓`, values: band.low }, { name: `${band.name} ↑`, values: band.high }]
    : series;

/** Where a list is lowest and highest, and what it ends with. */
export interface Extent {
  readonly low: number;
  readonly lowAt: number;
  readonly high: number;
  readonly highAt: number;
  readonly last: number;
}

/** Undefined of a list that says nothing. */
export function extentOf(values: Values): Extent | undefined {
  let [low, lowAt, high, highAt] = [Number.POSITIVE_INFINITY, 0, Number.NEGATIVE_INFINITY, 0];
  let last: number | null = null;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? null;
    if (value === null) continue;
    last = value;
    if (value < low) [low, lowAt] = [value, at];
    if (value > high) [high, highAt] = [value, at];
  }
  return last === null ? undefined : { low, lowAt, high, highAt, last };
}
