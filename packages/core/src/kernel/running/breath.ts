import { nextTurn } from "../../lib/turns/gather-more.ts";
import type { Clock } from "../../ports/clock.ts";

/** Longest uninterrupted work of one loop, in milliseconds (reliability rule 9). */
const SLICE_MS = 8;

/**
 * Yields to the event loop once a slice of time is used up; await it between the pieces of a long round. It waits for a turn
 * instead of a timer of the clock, because a process may exit if it waits for nothing but that timer. After `stopping` aborts, it
 * yields no more.
 */
export function createBreath(clock: Clock, stopping?: AbortSignal): () => Promise<void> {
  let began = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - began < SLICE_MS || stopping?.aborted) return;
    await nextTurn();
    began = clock.monotonicMs();
  };
}

/** Runs a computation to its end, step by step with breaths in between, and returns its result. */
export async function takeSteps<T>(steps: Iterator<unknown, T, undefined>, breathe: () => Promise<void>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await breathe();
  }
}
