import type { Check, CheckSight, CheckState, NetworkSight, PlaceState } from "../model.ts";
import { HERE, isAskedElsewhere } from "./places.ts";
import { standingOf } from "./standing.ts";

/** A single check says nothing about the network. */
const UNJUDGED: NetworkSight = { hosts: 0, all_failed: false };

interface Look {
  /** Unix seconds. */
  readonly now: number;
  /** Returns the display name of a place. */
  readonly nameOf: (place: string) => string;
}

/** Returns the values of a check that alert expressions read. */
export function sightOf(check: Check, state: CheckState | undefined, { now, nameOf }: Look): CheckSight {
  const { id, title, category, tags, warn_days, crit_days } = check;
  const { fresh, failing, isDown, failures, shown } = standingOf(check, state, now);
  const { date, from: _place, text, ...found } = shown ?? {};
  const where = failing.map(({ place }) => nameOf(place)).join(", ");
  const sentence = text !== undefined && isAskedElsewhere(check) ? `From ${where}: ${text}` : text;
  return {
    network: UNJUDGED,
    check: {
      id,
      title,
      category,
      tags: tags ?? [],
      warn_days,
      crit_days,
      ...found,
      ...(sentence === undefined ? {} : { text: sentence }),
      ...leastDays(fresh),
      down: isDown,
      failures,
      last: date,
      where,
      vantages: fresh.length,
      failed: failing.length,
    },
  };
}

/** The smallest value counts: servers behind one name may have different certificates. */
function leastDays(fresh: readonly PlaceState[]): { readonly days_left?: number } {
  const days = fresh.flatMap(({ latest }) => latest?.days_left ?? []);
  return days.length > 0 ? { days_left: Math.min(...days) } : {};
}

/** "the engine" for the engine; for a server its title, else its host name. */
export const nameOfPlace =
  (serverOf: (id: string) => { readonly title?: unknown; readonly hostname: string } | undefined) =>
  (place: string): string => {
    if (place === HERE) return "the engine";
    const { title, hostname } = serverOf(place) ?? {};
    return (typeof title === "string" && title) || hostname || place;
  };
