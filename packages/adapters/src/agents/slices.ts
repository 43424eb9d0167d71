import type { Clock } from "@signalbox/core";

/** Loop time of one slice: timers, requests and other sockets get their turn between two of them. */
const SLICE_MS = 10;

/**
 * Runs what `next` gives, one after another, in slices of loop time. Returns how to say that there is something.
 * What it runs must not throw.
 */
export function createSlices(clock: Clock, next: () => (() => void) | undefined): () => void {
  let isScheduled = false;
  const run = (): void => {
    const deadline = clock.monotonicMs() + SLICE_MS;
    for (let task = next(); task; task = next()) {
      task();
      if (clock.monotonicMs() < deadline) continue;
      setImmediate(run);
      return;
    }
    isScheduled = false;
  };
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(run);
  };
}
