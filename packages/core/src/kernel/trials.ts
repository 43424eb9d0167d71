import type { Clock } from "../ports/clock.ts";
import { RateError } from "./errors.ts";

const MOST = 10;
const MINUTE_MS = 60_000;

/** Takes one of the trials that a node makes in a minute. Throws `RateError` with this text when none is left. */
export function createTrials({ clock }: { readonly clock: Clock }, text: string): () => void {
  let taken: number[] = [];
  return () => {
    const now = clock.monotonicMs();
    taken = taken.filter((time) => now - time < MINUTE_MS);
    if (taken.length >= MOST) throw new RateError(text);
    taken.push(now);
  };
}
