import type { Clock } from "@signalbox/core/adapter";

/** Counts new connections: Node accepts one per turn of the event loop, however many are waiting. */
export interface Arrivals {
  /** Connections so far. */
  count: number;
}

/**
 * Milliseconds of one slice; between slices, timers, requests and other sockets get their turn. The entrance and the
 * intake may each run a slice in one turn, and reading from six hundred sockets takes as long again.
 */
const SLICE_MS = 5;

/**
 * Runs the functions that `next` returns, one after another, in slices of time. Returns a function that wakes it when
 * there is something to run. An error of a function stays uncaught, as in a listener, and holds up no other function.
 *
 * While every turn of the event loop brings another connection, a slice is postponed, by at most its own length:
 * otherwise only two hundred connections would be accepted per second, while several thousand are waiting after a
 * restart.
 */
export function createSlices(clock: Clock, arrivals: Arrivals, next: () => (() => void) | undefined): () => void {
  let isScheduled = false;
  let seen = 0;
  let patientUntil = 0;
  const schedule = (): void => {
    patientUntil = clock.monotonicMs() + SLICE_MS;
    setImmediate(run);
  };
  const run = (): void => {
    const now = clock.monotonicMs();
    if (arrivals.count !== seen && now < patientUntil) {
      seen = arrivals.count;
      setImmediate(run);
      return;
    }
    const deadline = now + SLICE_MS;
    let task: (() => void) | undefined;
    try {
      do {
        task = next();
        task?.();
      } while (task && clock.monotonicMs() < deadline);
    } finally {
      if (task) schedule();
      else isScheduled = false;
    }
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    schedule();
  };
}
