import type { Clock } from "../../../../ports/clock.ts";

/** Remembers verdicts of patterns that need a time limit: to ask one of them again costs a hundred times as much. */
export interface Verdicts {
  of(pattern: string, subject: string, ask: () => boolean): boolean;
}

const MAX_VERDICTS = 200_000;
/** A slower answer may have been a time-out, which need not come again. */
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
