/**
 * Whether so many seconds are over since a time. A time that is so far to come is of a clock that was set back since: what
 * waits for it would wait until the clock is there again.
 */
export const hasPassed = (since: number, seconds: number, now: number): boolean => Math.abs(now - since) >= seconds;
