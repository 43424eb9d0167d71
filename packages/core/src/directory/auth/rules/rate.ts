/** Number of requests of one key in one whole second. */
export interface RateWindow {
  readonly second: number;
  readonly count: number;
}

/** Counts one request in the fixed window of the current second (docs/contract/credentials.md#rate-of-a-key). */
export function countRequest(window: RateWindow | undefined, now: number): RateWindow {
  const second = Math.floor(now);
  return window?.second === second ? { second, count: window.count + 1 } : { second, count: 1 };
}

/** `maxPerSec` absent, null or 0 = unlimited. */
export const isOverRate = (window: RateWindow, maxPerSec: number | null | undefined): boolean =>
  typeof maxPerSec === "number" && maxPerSec > 0 && window.count > maxPerSec;
