/**
 * Whether the given seconds have passed since a time. A time that lies as far in the future also counts: it was taken before the
 * clock was set back, and what waits for it would otherwise wait until the clock is there again.
 */
export const hasPassed = (since: number, seconds: number, now: number): boolean => Math.abs(now - since) >= seconds;
