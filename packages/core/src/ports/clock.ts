/** The only source of time. Tests move it; nothing sleeps. */
export interface Clock {
  /** Unix seconds with a fraction. */
  now(): number;
  /** Milliseconds of a clock that never steps, for durations. */
  monotonicMs(): number;
  /** Runs `task` once after `delayMs`; disposing cancels it. Never keeps the process alive. */
  after(delayMs: number, task: () => void): Disposable;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  monotonicMs: () => performance.now(),
  after(delayMs, task) {
    // Node caps a timer at 2^31-1 ms and would fire at once beyond it. It warns on standard error of a delay below 0, which
    // a mark that has passed meanwhile leaves.
    const timer = setTimeout(task, Math.min(Math.max(delayMs, 0), 2_147_483_647));
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
