import { number, SIZES } from "../../texts/format.ts";

/** Unit of a quantity. */
export interface Unit {
  readonly kind: "integer" | "float" | "bytes" | "seconds" | "milliseconds";
  /** After each value: `%`, `/s`. */
  readonly suffix?: string | undefined;
}

/** A unit as used in one chart: all numbers are divided by the same factor, and the head names the unit once. */
export interface Scaled {
  readonly label: string;
  readonly factor: number;
  readonly isWhole: boolean;
  text(value: number): string;
  /** A round value on the axis, to its last digit. */
  mark(value: number): string;
}

type Step = readonly [factor: number, name: string];
const STEPS: Readonly<Record<Unit["kind"], readonly Step[]>> = {
  integer: [[1, ""]],
  float: [[1, ""]],
  bytes: SIZES,
  seconds: [
    [1, "s"],
    [60, "min"],
    [3600, "h"],
    [86_400, "d"],
  ],
  milliseconds: [
    [1, "ms"],
    [1000, "s"],
  ],
};

/** Definitions write "/sec". */
const shortSuffix = (suffix = ""): string => suffix.trim().replace(/^\/\s*sec$/, "/s");

/** Digits after the point that tell values of this size apart. */
function digitsOf(most: number): number {
  if (most >= 100) return 0;
  if (most >= 10) return 1;
  return most >= 0.1 || most === 0 ? 2 : Math.min(MOST_DIGITS, 1 - Math.floor(Math.log10(most)));
}
const MOST_DIGITS = 6;

/** The unit in which the largest value has one to three digits before the decimal point. */
export function scaledUnit({ kind, suffix }: Unit, largest: number): Scaled {
  const steps = STEPS[kind] ?? STEPS.float;
  const [factor, name] = steps.findLast(([size]) => Math.abs(largest) >= size) ?? (steps[0] as Step);
  const most = Math.abs(largest) / factor;
  const digits = kind === "integer" ? 0 : digitsOf(most);
  const label = name + shortSuffix(suffix);
  const written = (places: number) => (value: number) => number(value / factor, places);
  return { label, factor, isWhole: kind === "integer", text: written(digits), mark: written(MOST_DIGITS) };
}

/** Formats one value with its own unit: "48.2 MB/s". */
export function unitText(value: number, unit: Unit): string {
  const { text, label } = scaledUnit(unit, value);
  return label.startsWith("/") || label === "" ? text(value) + label : `${text(value)} ${label}`;
}
