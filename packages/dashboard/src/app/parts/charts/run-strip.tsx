import type { StateName } from "../basic/basic.tsx";

export interface StripRun {
  readonly state: StateName;
  /** Seconds; longer runs have taller columns. */
  readonly elapsed: number;
}

const STEP = 5;
const WIDTH = 3.5;
const HEIGHT = 22;

interface RunStripProps {
  readonly runs: readonly StripRun[];
  readonly most: number;
  readonly label: string;
}

/** The last runs as columns, the newest at the right. Failed runs have full height and colour. */
export function RunStrip({ runs, most, label }: RunStripProps) {
  const longest = Math.max(1e-9, ...runs.map(({ elapsed }) => elapsed));
  const from = most - runs.length;
  return (
    <svg
      viewBox={`0 0 ${most * STEP} ${HEIGHT}`}
      width={most * STEP}
      height={HEIGHT}
      class="run-strip"
      role="img"
      aria-label={label}
    >
      {Array.from({ length: from }, (_, at) => (
        <rect key={at} class="none" x={at * STEP} y={HEIGHT - 2} width={WIDTH} height={2} />
      ))}
      {runs.map(({ state, elapsed }, at) => {
        const isBad = state === "fail" || state === "crit";
        const height = isBad ? HEIGHT : 8 + (elapsed / longest) * (HEIGHT - 12);
        return (
          <rect
            key={from + at}
            class={state}
            x={(from + at) * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
