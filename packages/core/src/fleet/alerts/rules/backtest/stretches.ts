/** Consecutive minutes without a gap; Unix seconds of the first and of the last one. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const MINUTE = 60;

/** Appends a minute. */
export function addMinute(stretches: Stretch[], date: number): void {
  const last = stretches.at(-1);
  if (last && date - last.to <= MINUTE) stretches[stretches.length - 1] = { from: last.from, to: date };
  else stretches.push({ from: date, to: date });
}

/** The latest minute at or before a time; undefined = none. */
export function lastBy(stretches: readonly Stretch[], at: number): number | undefined {
  const found = stretches.findLast(({ from }) => from <= at);
  return found && Math.min(found.to, Math.floor(at / MINUTE) * MINUTE);
}

/** The first minute after a time; undefined = none. */
export function firstAfter(stretches: readonly Stretch[], at: number): number | undefined {
  const found = stretches.find(({ to }) => to > at);
  return found && (found.from > at ? found.from : (Math.floor(at / MINUTE) + 1) * MINUTE);
}
