import { type Calendar, partsOf } from "../../../lib/time/calendar.ts";
import type { Recurrence, Silence, Subject } from "../model.ts";

export interface ZoneRules {
  readonly calendar: Calendar;
  /** For recurrences without their own zone. */
  readonly zone: string;
}

const MINUTE = 60;
const DAY = 86_400;

/** `now` is Unix seconds. */
export function isInForce(silence: Silence, now: number, rules: ZoneRules): boolean {
  const { enabled, start, end, recurring } = silence;
  if (!enabled) return false;
  if (start !== null && now < start) return false;
  if (end !== null && now >= end) return false;
  return !recurring || isInWindow(recurring, now, rules);
}

/** True when a silence matches a subject: every non-empty list must contain one of the subject's values. */
export function concerns(
  { servers, groups, events, heartbeats, checks, severities, alerts, tags }: Silence,
  subject: Subject,
): boolean {
  const names = (list: readonly string[] | null | undefined, ids: readonly string[]): boolean =>
    !list?.length || ids.some((id) => list.includes(id));
  return (
    names(servers, [subject.server]) &&
    names(groups, subject.groups) &&
    names(events, subject.event === undefined ? [] : [subject.event]) &&
    names(heartbeats, subject.heartbeat === undefined ? [] : [subject.heartbeat]) &&
    names(checks, subject.check === undefined ? [] : [subject.check]) &&
    names(severities, [subject.severity]) &&
    names(alerts, [subject.alert]) &&
    names(tags, subject.tags)
  );
}

/**
 * Compares wall-clock times. A window from 02:00 to 03:00 therefore happens twice on the night when clocks go back, and
 * not at all when they go forward. After midnight, the day on which the window began counts.
 */
export function isInWindow({ weekdays, days, from, to, timezone }: Recurrence, now: number, rules: ZoneRules): boolean {
  const wall = rules.calendar.wallOf(Math.floor(now / MINUTE) * MINUTE, timezone || rules.zone);
  const [begin, end] = [secondsOf(from), secondsOf(to)];
  const time = wall % DAY;
  const isDay = (moment: number): boolean => {
    const { weekday, day, reverseDay } = partsOf(moment);
    return allows(weekdays, weekday) && (allows(days, day) || allows(days, reverseDay));
  };
  if (begin < end) return time >= begin && time < end && isDay(wall);
  return time >= begin ? isDay(wall) : time < end && isDay(wall - DAY);
}

const allows = (list: readonly number[] | null | undefined, value: number): boolean =>
  !list || list.length === 0 || list.includes(value);

/** Seconds since midnight of a time such as "08:30". */
export function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 3600 + minutes * MINUTE;
}
