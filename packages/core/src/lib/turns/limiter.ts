export interface LimiterOptions {
  /** Most work running at once. */
  readonly atOnce: number;
  /** Most work waiting. */
  readonly most: number;
  /** The error for work that finds the queue full. */
  refusal(): Error;
}

/** Limits concurrency: further work waits in order of arrival, and is refused when the queue is full. */
export function createLimiter({ atOnce, most, refusal }: LimiterOptions): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= most) throw refusal();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot is passed on directly, so that a new caller cannot get in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
