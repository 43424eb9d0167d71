/**
 * The time for which slow matches may hold the process, all patterns of an instance together: a record may hold a
 * hundred slow patterns, and each of them would have the whole limit for itself. A proven pattern, which has matched in
 * time before, does not lose the time that unproven patterns used up.
 */
export interface RegexPatience {
  /** Whole milliseconds that the next match may take; 0 = it is not to be tried. */
  left(proven: boolean): number;
  /** Notes a match that was given up after that many milliseconds. */
  spend(ms: number, proven: boolean): void;
}

/** The patience is back this long after it was first needed. */
const WINDOW_MS = 250;
/** Least time for a match: with less, its failure would say more about the machine than about the pattern. */
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
