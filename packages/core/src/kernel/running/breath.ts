import { nextTurn } from "../../lib/turns/gather-more.ts";
import type { Clock } from "../../ports/clock.ts";

/** Work of one loop in one go. Milliseconds (reliability rule 9). */
const SLICE_MS = 8;

/**
 * Lets others run once a slice of time is used up; to be awaited between the pieces of a long round. A turn and no
 * timer of the clock, which would let a process end that waits for nothing but this work.
 */
export function createBreath(clock: Clock, stopping: AbortSignal): () => Promise<void> {
  let began = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - began < SLICE_MS || stopping.aborted) return;
    await nextTurn();
    began = clock.monotonicMs();
  };
}

/** Takes a computation to its end, step by step with breaths in between, and answers its result. */
export async function takeSteps<T>(steps: Iterator<unknown, T, undefined>, breathe: () => Promise<void>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await breathe();
  }
}
