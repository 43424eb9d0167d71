/**
 * How long matches that take their time may hold the process, all patterns of an instance together: a record may hold a
 * hundred slow patterns, and each of them would have the whole limit for itself.
 */
export interface RegexPatience {
  /**
   * Whole milliseconds that the next match may take; 0 = it is not to be tried. A proven pattern, which has matched in
   * time before, is tried for a moment even when others have used up the patience.
   */
  left(proven: boolean): number;
  /** Notes a match that was given up. */
  spend(ms: number): void;
}

/** The patience is back this long after it was first needed. */
const WINDOW_MS = 250;
/** Enough for any match that is not one of those which never end. */
export const MOMENT_MS = 5;

export function createRegexPatience(ms: number, now: () => number): RegexPatience {
  let spent = 0;
  let since = 0;
  return {
    left(proven) {
      if (spent > 0 && now() - since >= WINDOW_MS) spent = 0;
      const rest = Math.floor(ms - spent);
      if (rest > MOMENT_MS) return rest;
      return proven ? MOMENT_MS : 0;
    },
    spend(spentMs) {
      if (spent === 0) since = now();
      spent += spentMs;
    },
  };
}
