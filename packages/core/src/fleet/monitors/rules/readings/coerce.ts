import { toText } from "../../../../expressions/text-formats.ts";

/** Parses a raw reading; undefined = no value. */
export type Parse = (value: unknown) => number | undefined;

const finite = (value: number): number => (Number.isFinite(value) && value !== 0 ? value : 0);

/** Truncates numbers towards zero; of a text, parses the leading decimal integer. */
export function toInteger(value: unknown): number {
  if (typeof value === "number") return finite(Math.trunc(value));
  return finite(Number.parseInt(toText(value), 10));
}

/** Parses the leading decimal number, floored to 5 decimals. */
export function toFloat(value: unknown): number {
  const number = typeof value === "number" ? value : Number.parseFloat(toText(value));
  return finite(floorTo(number, 5));
}

/** Rounds towards minus infinity at `decimals` places. */
export function floorTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = value * scale;
  // Too large to have decimals: scaling would overflow.
  return Number.isFinite(scaled) ? Math.floor(scaled) / scale : value;
}

const WHOLE: ReadonlySet<string> = new Set(["integer", "bytes", "seconds", "milliseconds"]);

/** True for the integer family: truncated when read, floored in averages (docs/contract/monitors.md#evaluation). */
export const isWhole = (dataType: string): boolean => WHOLE.has(dataType);

/** Parser of a built-in data type; unknown types are parsed like "float". */
export const parserOf = (dataType: string): Parse => (isWhole(dataType) ? toInteger : toFloat);

/** The value in a match: the first group of the pattern, or the whole match if it has no groups. */
export const valueIn = (found: RegExpExecArray): string => (found.length > 1 ? (found[1] ?? "") : found[0]);
