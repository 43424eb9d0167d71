/** The only source of time. Tests advance it; nothing sleeps. */
export interface Clock {
  /** Unix seconds with a fraction. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  monotonicMs(): number;
  /** Runs `task` once after `delayMs`; disposing cancels it. Never keeps the process alive. */
  after(delayMs: number, task: () => void): Disposable;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  monotonicMs: () => performance.now(),
  after(delayMs, task) {
    // Node fires at once for a delay beyond 2^31-1 ms, so it is capped. A delay below 0 (the time has passed meanwhile) would
    // print a warning on standard error.
    const timer = setTimeout(task, Math.min(Math.max(delayMs, 0), 2_147_483_647));
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
