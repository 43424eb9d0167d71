/** Spreads the launches of one pass (docs/contract/schedules.md#bounds-of-launches). */
export interface Stagger {
  /** Earliest start of the next launch in Unix seconds; undefined = at once. */
  next(): number | undefined;
}

/**
 * Whole seconds: as many launches start together as a second has room for, since waiting jobs are looked at every second.
 * The jobs exist from the moment they are due, so that nothing of the queue is lost with the process.
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
