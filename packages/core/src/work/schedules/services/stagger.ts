/** Spreads the launches of one pass (docs/contract/schedules.md#bounds-of-launches). */
export interface Stagger {
  /** Earliest start of the next launch in Unix seconds; undefined = immediately. */
  next(): number | undefined;
}

/**
 * Staggers by whole seconds: waiting jobs are checked once a second, so each second starts as many launches as fit into it. The
 * jobs are stored as soon as they are due, so that none are lost with the process.
 */
export function createStagger(now: number, staggerMs: number): Stagger {
  let count = 0;
  return {
    next() {
      const seconds = Math.floor((count++ * staggerMs) / 1000);
      return seconds > 0 ? Math.ceil(now) + seconds : undefined;
    },
  };
}
