import type { Clock } from "../ports/clock.ts";
import { RateError } from "./errors/errors.ts";

const MOST = 10;
const MINUTE_MS = 60_000;

/** Takes one of the trials that a node allows per minute. Throws `RateError` with this text when none is left. */
export function createTrials({ clock }: { readonly clock: Clock }, text: string): () => void {
  let taken: number[] = [];
  return () => {
    const now = clock.monotonicMs();
    taken = taken.filter((time) => now - time < MINUTE_MS);
    if (taken.length >= MOST) throw new RateError(text);
    taken.push(now);
  };
}

/** Most things whose calls are counted at a time; the oldest are evicted. */
const COUNTED = 5000;

/** Counts this node's calls per minute for each of many things; false = the call would exceed the limit. */
export function createCounts({ clock }: { readonly clock: Clock }, perMinute: number): (thing: string) => boolean {
  const counts = new Map<string, { since: number; calls: number }>();
  return (thing) => {
    const now = clock.monotonicMs();
    const known = counts.get(thing);
    const count = known && now - known.since < MINUTE_MS ? known : { since: now, calls: 0 };
    if (count.calls >= perMinute) return false;
    count.calls += 1;
    counts.delete(thing);
    if (counts.size >= COUNTED) counts.delete(counts.keys().next().value ?? "");
    counts.set(thing, count);
    return true;
  };
}

const AT_ONCE = 2;

/** Runs at most two at a time, since each blocks the event loop for long. Rejects with `RateError` and this text beyond that. */
export function twoAtOnce<In, Out>(text: string, run: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  let open = 0;
  return async (input) => {
    if (open >= AT_ONCE) throw new RateError(text);
    open++;
    try {
      return await run(input);
    } finally {
      open--;
    }
  };
}
