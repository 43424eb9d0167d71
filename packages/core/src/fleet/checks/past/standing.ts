import type { Check, CheckSight } from "../model.ts";
import { neededOf } from "../rules/places.ts";

/** Results of a check in one minute, aggregated as its timeline keeps them. */
export interface PastMinute {
  /** Unix seconds. */
  readonly date: number;
  /** Number of results. */
  readonly count: number;
  /** Averages. */
  readonly up: number;
  readonly ms?: number | undefined;
  readonly days_left?: number | undefined;
}

/**
 * Rebuilds past values of a check for alerts, minute by minute. Timelines keep how many results were good, not their
 * order or places. In a minute with good and bad results we assume that the newest ones are the opposite of the state
 * before.
 */
export function createPastCheck(check: Check): (minute: PastMinute) => Pick<CheckSight, "check"> {
  const { id, title, category, tags, warn_days, crit_days, retries, from } = check;
  const places = Math.max(1, from?.length ?? 1);
  const needed = neededOf(check, places);
  let failures = 0;
  let isDown = false;
  return ({ date, count, up, ms, days_left }) => {
    const failing = Math.round((1 - up) * Math.min(places, count));
    const isMixed = places === 1 && up > 0 && up < 1;
    const isFailing = isMixed ? failures === 0 : failing >= Math.min(needed, count);
    failures = isFailing ? failures + Math.max(1, Math.round(((1 - up) * count) / places)) : 0;
    isDown = failures > retries || (isFailing && isDown);
    return {
      check: {
        id,
        title,
        category,
        tags: tags ?? [],
        warn_days,
        crit_days,
        ok: !isFailing,
        ...(ms === undefined ? {} : { ms }),
        ...(days_left === undefined ? {} : { days_left }),
        down: isDown,
        failures,
        where: "",
        vantages: Math.min(places, count),
        failed: failing,
        last: date,
      },
    };
  };
}
