const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const MAX_RETRY_AFTER_SEC = 60;
const MAX_BACK_OFF_SEC = 30;

/** True for responses that may be better next time (docs/contract/web-hooks.md#retries). */
export const isRetried = (status: number): boolean => RETRIED.has(status);

/**
 * Seconds before the next attempt: from `Retry-After` (seconds or a date), at most 60; without it 1, 2, 4 … 30. `attempt` counts
 * from 0, `now` is Unix seconds.
 */
export function retryPauseSec(attempt: number, retryAfter: string | undefined, now: number): number {
  const asked = retryAfter === undefined ? undefined : secondsOf(retryAfter.trim(), now);
  return asked === undefined ? Math.min(MAX_BACK_OFF_SEC, 2 ** attempt) : Math.min(MAX_RETRY_AFTER_SEC, asked);
}

function secondsOf(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date / 1000 - now);
}
