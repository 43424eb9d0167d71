/**
 * Bounds how long slow matches may block the process, for all patterns of an instance together: a record may hold a hundred slow
 * patterns, and each would otherwise have the whole limit to itself. A proven pattern, which has matched in time before, keeps
 * its time when unproven patterns use theirs up.
 */
export interface RegexPatience {
  /** Whole milliseconds that the next match may take; 0 = do not try it. */
  left(proven: boolean): number;
  /** Records a match that was given up after this many milliseconds. */
  spend(ms: number, proven: boolean): void;
}

/** The time is restored this long after it was first needed. */
const WINDOW_MS = 250;
/** Shortest useful time for a match: with less, a failure would say more about the machine than about the pattern. */
const LEAST_MS = 5;

export function createRegexPatience(ms: number, now: () => number): RegexPatience {
  const spent = { proven: 0, others: 0 };
  let since = 0;
  const purse = (proven: boolean): keyof typeof spent => (proven && ms - spent.others < LEAST_MS ? "proven" : "others");
  const isUnspent = (): boolean => spent.proven === 0 && spent.others === 0;
  return {
    left(proven) {
      if (!isUnspent() && now() - since >= WINDOW_MS) Object.assign(spent, { proven: 0, others: 0 });
      const rest = Math.floor(ms - spent[purse(proven)]);
      return rest < LEAST_MS ? 0 : rest;
    },
    spend(spentMs, proven) {
      if (isUnspent()) since = now();
      spent[purse(proven)] += spentMs;
    },
  };
}
