import { toText } from "../../../../expressions/text-formats.ts";

/** Gives the number of a raw reading; undefined = no value. */
export type Parse = (value: unknown) => number | undefined;

const finite = (value: number): number => (Number.isFinite(value) && value !== 0 ? value : 0);

/** Truncates numbers towards zero; reads the leading decimal integer of a text. */
export function toInteger(value: unknown): number {
  if (typeof value === "number") return finite(Math.trunc(value));
  return finite(Number.parseInt(toText(value), 10));
}

/** Reads the leading decimal number, floored to 5 decimals. */
export function toFloat(value: unknown): number {
  const number = typeof value === "number" ? value : Number.parseFloat(toText(value));
  return finite(floorTo(number, 5));
}

/** Floors towards minus infinity after `decimals` places. */
export function floorTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = value * scale;
  // Too large to have decimals at all: scaling would lose the value.
  return Number.isFinite(scaled) ? Math.floor(scaled) / scale : value;
}

const WHOLE: ReadonlySet<string> = new Set(["integer", "bytes", "seconds", "milliseconds"]);

/** The integer family: truncated on reading, floored in averages (docs/contract/monitors.md#evaluation). */
export const isWhole = (dataType: string): boolean => WHOLE.has(dataType);

/** Coercion of a built-in data type; an unknown one is read like "float". */
export const parserOf = (dataType: string): Parse => (isWhole(dataType) ? toInteger : toFloat);

/** The part of a match that is the value: the first group of the pattern, or all of it where it has none. */
export const valueIn = (found: RegExpExecArray): string => (found.length > 1 ? (found[1] ?? "") : found[0]);
