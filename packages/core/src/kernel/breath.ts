import type { Clock } from "../ports/clock.ts";
import { pause } from "./loops.ts";

/** Work of one loop in one go. Milliseconds (reliability rule 9). */
const SLICE_MS = 8;

/** Lets others run once a slice of time is used up; to be awaited between the pieces of a long round. */
export function createBreath(clock: Clock, stopping: AbortSignal, sliceMs = SLICE_MS): () => Promise<void> {
  let began = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - began < sliceMs || stopping.aborted) return;
    await pause(clock, 0, stopping);
    began = clock.monotonicMs();
  };
}
