/** Number of failures without a delay, and the longest delay in seconds. */
export interface DelayBounds {
  readonly free: number;
  readonly maxSec: number;
}

/** Seconds until the next attempt is judged after this many failures: 0 for the free ones, then 1, 2, 4 … */
export function delaySec(failures: number, { free, maxSec }: DelayBounds): number {
  return failures <= free ? 0 : Math.min(2 ** (failures - free - 1), maxSec);
}
