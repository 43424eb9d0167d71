import { percent } from "../../texts/format.ts";

interface MeterProps {
  readonly label: string;
  /** Percent, 0 to 100. */
  readonly value: number;
  readonly warn?: number;
  readonly crit?: number;
}

/** A share in use; coloured only at or above a threshold. */
export function Meter({ label, value, warn = 85, crit = 95 }: MeterProps) {
  const tone = value >= crit ? "crit" : value >= warn ? "warn" : "line";
  const whole = Math.round(value);
  return (
    <span
      class={`meter t-${tone}`}
      role="meter"
      aria-label={label}
      aria-valuenow={whole}
      aria-valuemin={0}
      aria-valuemax={100}
      style={{ "--v": Math.min(1, value / 100) }}
    >
      <i />
      <b>{percent(whole)}</b>
    </span>
  );
}

/** `value` is 0 to 1. */
export const Progress = ({ label, value }: { readonly label: string; readonly value: number }) => (
  <span
    class="prog"
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(value * 100)}
    style={{ "--v": value }}
  >
    <i />
  </span>
);

interface SparkProps {
  /** Oldest first; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly max?: number;
  readonly tone?: "quiet" | "line" | "crit";
}

const WIDTH = 120;
const HEIGHT = 26;

/** A line without axes. It shows only a shape, so it needs the number beside it. */
export function Spark({ values, max, tone = "quiet" }: SparkProps) {
  const top = max ?? Math.max(1e-9, ...values.map((value) => value ?? 0)) * 1.08;
  const x = (at: number): string => ((at / Math.max(1, values.length - 1)) * (WIDTH - 2) + 1).toFixed(1);
  const y = (value: number): string => (HEIGHT - 1.5 - (value / top) * (HEIGHT - 3)).toFixed(1);
  const drawn = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const line = drawn.map(({ at, value }, index) => {
    const isJoined = index > 0 && drawn[index - 1]?.at === at - 1;
    return `${isJoined ? "L" : "M"}${x(at)} ${y(value)}`;
  });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class={`spark t-${tone}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="stroke" d={line.join("")} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

/** Counts as columns, for rare events. */
export const Columns = ({ values, tone = "quiet" }: Omit<SparkProps, "max">) => {
  const top = Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} class={`spark t-${tone}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, at) => {
        const height = value ? Math.max(3, (value / top) * (HEIGHT - 2)) : 1;
        return (
          <rect
            key={at}
            x={at * step}
            width={step * 0.7}
            y={HEIGHT - height}
            height={height}
            class={value ? "hi" : "lo"}
          />
        );
      })}
    </svg>
  );
};
