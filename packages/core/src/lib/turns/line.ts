export interface LineOptions {
  /** Work under way at once. */
  readonly atOnce: number;
  /** Most work that waits. */
  readonly most: number;
  /** The error for work that finds no place in the line. */
  refusal(): Error;
}

/** Runs so much at once; further work waits in the order of its coming, or is refused where too much waits already. */
export function createLine({ atOnce, most, refusal }: LineOptions): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= most) throw refusal();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed on, so that a new caller does not get in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
