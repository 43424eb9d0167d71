import type { Clock } from "../../../../ports/clock.ts";

/** Caches verdicts of patterns that run under a time limit, which makes a test a hundred times as expensive. */
export interface Verdicts {
  of(pattern: string, subject: string, ask: () => boolean): boolean;
}

const MAX_VERDICTS = 200_000;
/** Milliseconds. A slower test may have timed out, which may not happen again, so its verdict is not cached. */
const SURE_MS = 25;

export function createVerdicts({ monotonicMs }: Pick<Clock, "monotonicMs">): Verdicts {
  const known = new Map<string, Map<string, boolean>>();
  let count = 0;
  const remember = (pattern: string, subject: string, verdict: boolean): void => {
    if (count >= MAX_VERDICTS) {
      known.clear();
      count = 0;
    }
    const subjects = known.get(pattern) ?? new Map<string, boolean>();
    known.set(pattern, subjects.set(subject, verdict));
    count++;
  };
  return {
    of(pattern, subject, ask) {
      const before = known.get(pattern)?.get(subject);
      if (before !== undefined) return before;
      const startedMs = monotonicMs();
      const verdict = ask();
      if (monotonicMs() - startedMs < SURE_MS) remember(pattern, subject, verdict);
      return verdict;
    },
  };
}
