/** One firing of an alert on one subject. Unix seconds. */
export interface Spell {
  readonly from: number;
  /** Absent = it is live. */
  readonly to?: number | undefined;
}

/** Bounds of flapping: the number of firings within so many seconds; a count of 0 = never. */
export interface FlapRule {
  readonly count: number;
  readonly window: number;
}

/** A time in which firings and clearings come too often to be told one by one. */
export interface Episode {
  /** Unix seconds of the firing with which it began. */
  readonly since: number;
  /** Seconds without a change after which it is over. */
  readonly quiet: number;
  /** Number of firings: the ones that began it, and all since. */
  readonly count: number;
}

const DAY = 86_400;
const LEAST_QUIET = 1800;
/** Longest quiet that ends an episode. */
export const MOST_QUIET = 43_200;

export const flapRuleOf = (alert: {
  readonly flap_count?: number | null | undefined;
  readonly flap_window?: number | null | undefined;
}): FlapRule => ({ count: alert.flap_count ?? 4, window: alert.flap_window ?? 10_800 });

/** Unix seconds of a firing; records of old installations know the first true sample alone. */
export const firedAt = ({ fired, date }: { readonly fired?: number | undefined; readonly date: number }): number =>
  fired ?? date;

/**
 * The episode that is under way with the last firing, or at a later time (docs/contract/notices.md#flapping), from the
 * firings of one alert on one subject, the oldest first. Stored invocations give it, so a restart or another node sees
 * the same.
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
  /** The last change. */
  readonly last: number;
  /** The last change was a firing. */
  readonly isLive: boolean;
  /** Ends of episodes of the day before. */
  readonly ends: readonly End[];
  /** Firings of the day before. */
  readonly firings: readonly number[];
}

interface End {
  /** Unix seconds. */
  readonly at: number;
  /** The alert went on firing. */
  readonly isLive: boolean;
}

/** The fold moved on to `at`, with no change since the last one: an episode that was quiet long enough ends. */
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

/** The episode that begins with the last firing; the quiet that ends it doubles with each one of the day before. */
function beginning(firings: readonly number[], ends: readonly End[], rule: FlapRule): Episode | undefined {
  const since = firings.at(-1) ?? 0;
  const end = ends.at(-1);
  const count = end === undefined ? countOf(firings, since, rule) : countAfter(end, firings);
  if (count < (end === undefined ? rule.count : 2)) return undefined;
  const quiet = Math.min(Math.max(LEAST_QUIET, rule.window / 3) * 2 ** ends.length, MOST_QUIET);
  return { since, quiet, count };
}

/** Firings after an episode. One that it left firing is the first of them: its end is told, too. */
const countAfter = ({ at, isLive }: End, firings: readonly number[]): number =>
  firings.filter((time) => time >= at).length + (isLive ? 1 : 0);

/** Firings of the window; of the whole day when those are twice as many as are asked for. */
function countOf(firings: readonly number[], since: number, { count, window }: FlapRule): number {
  const recent = firings.filter((time) => since - time <= window).length;
  return recent < count && firings.length >= 2 * count ? firings.length : recent;
}
