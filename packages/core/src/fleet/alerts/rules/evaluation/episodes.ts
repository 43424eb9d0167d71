/** One firing of an alert on one subject. Unix seconds. */
export interface Spell {
  readonly from: number;
  /** Absent = still live. */
  readonly to?: number | undefined;
}

/** When an alert flaps: at `count` firings within `window` seconds; a count of 0 = never. */
export interface FlapRule {
  readonly count: number;
  readonly window: number;
}

/** A span in which an alert fires and clears too often to notify each time. */
export interface Episode {
  /** Unix seconds of the firing that began the episode. */
  readonly since: number;
  /** Seconds without a change that end the episode. */
  readonly quiet: number;
  /** Number of firings: those that began the episode, and all since. */
  readonly count: number;
}

const DAY = 86_400;
const LEAST_QUIET = 1800;
/** Longest `quiet` of an episode. Seconds. */
export const MOST_QUIET = 43_200;

export const flapRuleOf = (alert: {
  readonly flap_count?: number | null | undefined;
  readonly flap_window?: number | null | undefined;
}): FlapRule => ({ count: alert.flap_count ?? 4, window: alert.flap_window ?? 10_800 });

/** Unix seconds of the firing. Records of old installations have only the first true sample. */
export const firedAt = ({ fired, date }: { readonly fired?: number | undefined; readonly date: number }): number =>
  fired ?? date;

/**
 * The episode that is under way at the last firing, or at `now` if given (docs/contract/notices.md#flapping). `spells`
 * are the firings of one alert on one subject, oldest first. They are stored, so the result is the same after a restart
 * and on every node.
 */
export function episodeOf(spells: readonly Spell[], rule: FlapRule, now?: number): Episode | undefined {
  if (rule.count === 0) return undefined;
  let fold: Fold = { episode: undefined, last: Number.NEGATIVE_INFINITY, isLive: false, ends: [], firings: [] };
  for (const { from, to } of spells) {
    fold = fired(settled(fold, from), from, rule);
    if (to !== undefined) fold = { ...settled(fold, to), last: to, isLive: false };
  }
  return (now === undefined ? fold : settled(fold, now)).episode;
}

interface Fold {
  readonly episode: Episode | undefined;
  /** Unix seconds of the last firing or clearing. */
  readonly last: number;
  /** True when the last change was a firing. */
  readonly isLive: boolean;
  /** Ends of episodes within the last day. */
  readonly ends: readonly End[];
  /** Firings within the last day. */
  readonly firings: readonly number[];
}

interface End {
  /** Unix seconds. */
  readonly at: number;
  /** The alert was live when the episode ended. */
  readonly isLive: boolean;
}

/** Moves the fold to `at` without a change: ends the episode if it has been quiet for long enough. */
function settled(fold: Fold, at: number): Fold {
  const { episode, last, isLive, ends } = fold;
  if (!episode || at - last < episode.quiet) return fold;
  return { ...fold, episode: undefined, ends: [...ends, { at: last + episode.quiet, isLive }] };
}

function fired(fold: Fold, at: number, rule: FlapRule): Fold {
  const ends = fold.ends.filter((end) => at - end.at < DAY);
  const firings = [...fold.firings.filter((time) => at - time < DAY), at];
  const { episode } = fold;
  const next = episode ? { ...episode, count: episode.count + 1 } : beginning(firings, ends, rule);
  return { episode: next, last: at, isLive: true, ends, firings };
}

/** The episode that the last firing begins, if any. Its `quiet` doubles with each episode of the last day. */
function beginning(firings: readonly number[], ends: readonly End[], rule: FlapRule): Episode | undefined {
  const since = firings.at(-1) ?? 0;
  const end = ends.at(-1);
  const count = end === undefined ? countOf(firings, since, rule) : countAfter(end, firings);
  if (count < (end === undefined ? rule.count : 2)) return undefined;
  const quiet = Math.min(Math.max(LEAST_QUIET, rule.window / 3) * 2 ** ends.length, MOST_QUIET);
  return { since, quiet, count };
}

/**
 * Firings since an episode ended. If the alert was live then, that firing counts as the first, because its end is
 * notified, too.
 */
const countAfter = ({ at, isLive }: End, firings: readonly number[]): number =>
  firings.filter((time) => time >= at).length + (isLive ? 1 : 0);

/** Firings within the window, or within the whole day if those are at least twice as many as the rule asks for. */
function countOf(firings: readonly number[], since: number, { count, window }: FlapRule): number {
  const recent = firings.filter((time) => since - time <= window).length;
  return recent < count && firings.length >= 2 * count ? firings.length : recent;
}
