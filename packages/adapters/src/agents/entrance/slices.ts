import type { Clock } from "@signalbox/core/adapter";

/** Counter of new connections: Node accepts one in each turn of the event loop, however many are waiting. */
export interface Arrivals {
  /** Connections so far. */
  count: number;
}

/**
 * Loop time of one slice: timers, requests and other sockets get their turn between two of them. The entrance and the
 * intake may have one each in a turn, and reading from six hundred sockets takes as long again.
 */
const SLICE_MS = 5;

/**
 * Runs the functions that `next` gives, one after another, in slices of loop time. Returns a function that wakes it
 * when there is something to run. The functions must not throw.
 *
 * As long as every turn of the loop brings another connection a slice is put off, by no more than its own length:
 * otherwise two hundred would be accepted in a second of such slices, and several thousand are waiting after a restart.
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
    for (let task = next(); task; task = next()) {
      task();
      if (clock.monotonicMs() < deadline) continue;
      schedule();
      return;
    }
    isScheduled = false;
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    schedule();
  };
}
