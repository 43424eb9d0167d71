import { isObject } from "../../../lib/json/is-object.ts";
import { isKnownZone } from "../../../lib/time/calendar.ts";
import type { Trigger } from "../../events/model.ts";
import { parseCron } from "../../events/rules/triggers/cron.ts";
import { checkTriggers } from "../../events/rules/triggers/trigger-shape.ts";
import type { ZoneRules } from "../../schedules/rules/pattern.ts";
import { type Schedule, scheduleOf } from "../../schedules/rules/triggers.ts";
import { nextRuns } from "../../schedules/rules/upcoming.ts";
import type { Heartbeat } from "../model.ts";

/** Most entries of a schedule. */
const MAX_ENTRIES = 10;
/** Types of recurring triggers. */
const RECURRING: readonly unknown[] = ["schedule", "interval"];

/** Converts a cron pattern or members of triggers to triggers; undefined when they are malformed. */
function triggersOf(schedule: unknown): Trigger[] | undefined {
  if (typeof schedule === "string") return cronOf(schedule);
  const entries: readonly unknown[] = Array.isArray(schedule) ? schedule : [schedule];
  if (entries.length === 0 || entries.length > MAX_ENTRIES || !entries.every(isObject)) return undefined;
  const triggers = entries.map((entry): Trigger => ({ type: "schedule", ...entry, enabled: true }));
  const isGood = triggers.every(({ type }) => RECURRING.includes(type)) && checkTriggers(triggers) === undefined;
  return isGood ? triggers : undefined;
}

function cronOf(line: string): Trigger[] | undefined {
  try {
    return parseCron(line).map((trigger) => ({ ...trigger }));
  } catch {
    // The error names only the member, as for all others.
    return undefined;
  }
}

export const isSchedule = (value: unknown): boolean => triggersOf(value) !== undefined;
export const isZone = (value: unknown): boolean => typeof value === "string" && value !== "" && isKnownZone(value);

type Timed = Pick<Heartbeat, "every" | "schedule" | "timezone">;

/** When signs must come, in Unix seconds; `Infinity` = never. */
export interface Times {
  /** Due time of the next sign after a moment without one. */
  after(moment: number): number;
  /** Due time of the next sign after one that came. A sign that came a little early counts for the upcoming time. */
  afterSign(moment: number): number;
}

/** A sign counts for the upcoming time if it is early by at most this share of the period, and at most this many seconds. */
const EARLY_SHARE = 0.1;
const EARLY_SEC = 3600;
/** Most times within the longest period that matters: one per minute. */
const MOST_BEFORE = EARLY_SEC / EARLY_SHARE / 60 + 1;

/**
 * The times of a heartbeat. The result of each search of a schedule is cached: signs are rare, but evaluations happen every
 * minute.
 */
export function timesOf({ every, schedule, timezone }: Timed, rules: ZoneRules): Times {
  if (every) return { after: (moment) => moment + every, afterSign: (moment) => moment + every };
  const zone = timezone ? { timezone } : {};
  const triggers = (triggersOf(schedule) ?? []).map((trigger) => ({ ...zone, ...trigger }));
  const plan = scheduleOf({ triggers });
  const search = createSearch(plan, rules);
  return {
    after: (moment) => search(moment)[0],
    afterSign(moment) {
      const [first, second] = search(moment);
      if (first - moment > EARLY_SEC) return first;
      // The last time of a schedule takes the period before it.
      const period = Number.isFinite(second) ? second - first : first - lastBefore(first, plan, rules);
      return first - moment <= period * EARLY_SHARE ? second : first;
    },
  };
}

/** The time before another one. If the period is longer than the searched span, any sign within `EARLY_SEC` is early. */
function lastBefore(time: number, plan: Schedule | undefined, rules: ZoneRules): number {
  const from = time - EARLY_SEC / EARLY_SHARE;
  const runs = plan ? nextRuns({ schedule: plan }, { from, limit: MOST_BEFORE }, rules) : [];
  return runs.findLast(({ now }) => now < time)?.now ?? from;
}

/** Moments whose search is cached: the last success, the last start, and since when the heartbeat is judged. */
const KEPT = 3;

function createSearch(plan: Schedule | undefined, rules: ZoneRules): (moment: number) => [number, number] {
  const known = new Map<number, [number, number]>();
  return (moment) => {
    const found = known.get(moment);
    if (found) return found;
    const runs = plan ? nextRuns({ schedule: plan }, { from: moment + 1, limit: 2 }, rules) : [];
    const [first = Infinity, second = Infinity] = runs.map(({ now }) => now);
    if (known.size >= KEPT) known.delete(known.keys().next().value as number);
    known.set(moment, [first, second]);
    return [first, second];
  };
}
