import {
  type Calendar,
  type CalendarParts,
  isRepeated,
  machineZone,
  partsOf,
  skippedBefore,
} from "../../../lib/time/calendar.ts";
import type { Trigger } from "../../events/model.ts";

/** How schedules run on days when clocks change: "once" = each local time runs once; "wall" = as often as clocks show it. */
export type ClockChanges = "once" | "wall";

export interface ZoneRules {
  readonly calendar: Calendar;
  /** Time zone of triggers that name none. */
  readonly zone: string;
  /** Default for triggers without `dst`; absent = "once". */
  readonly dst?: ClockChanges;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

export const numbersOf = (value: unknown): readonly number[] | undefined =>
  Array.isArray(value) ? (value as readonly number[]) : undefined;

export const zoneOf = ({ timezone }: Trigger, rules: ZoneRules): string =>
  typeof timezone === "string" && timezone ? timezone : rules.zone;

/**
 * On days of a clock change, a pattern with certain hours runs once: a time that clocks skip runs in the first minute after the
 * gap, and a time that clocks show twice runs the first time. Patterns of every hour, and those with `dst: "wall"`, follow the
 * clock.
 */
export function isScheduleDue(trigger: Trigger, minute: number, rules: ZoneRules): boolean {
  const zone = zoneOf(trigger, rules);
  const matches = (wall: number): boolean => matchesPattern(trigger, wall);
  const isHit = matches(rules.calendar.wallOf(minute, zone));
  if (followsWall(trigger, rules)) return isHit;
  if (isHit) return !isRepeated(rules.calendar, minute, zone);
  return skippedBefore(rules.calendar, minute, zone).some(matches);
}

function followsWall(trigger: Trigger, rules: ZoneRules): boolean {
  return (trigger["dst"] || rules.dst) === "wall" || !hasCertainHours(trigger);
}

function hasCertainHours(trigger: Trigger): boolean {
  const hours = numbersOf(trigger["hours"]);
  return hours !== undefined && hours.length > 0 && (hours.length < 24 || new Set(hours).size < 24);
}

/**
 * All non-empty lists must match; days match the calendar day or the reverse day (docs/contract/schedules.md#triggers).
 */
function matchesPattern(trigger: Trigger, wall: number): boolean {
  // The time of day is cheap to compute and rules out nearly every minute; the date is not.
  if (!allows(trigger["minutes"], Math.floor(wall / MINUTE) % 60)) return false;
  if (!allows(trigger["hours"], Math.floor(wall / HOUR) % 24)) return false;
  return matchesDate(trigger, partsOf(wall));
}

function matchesDate(trigger: Trigger, { day, reverseDay, weekday, month, year }: CalendarParts): boolean {
  return (
    allows(trigger["weekdays"], weekday) &&
    (allows(trigger["days"], day) || allows(trigger["days"], reverseDay)) &&
    allows(trigger["months"], month) &&
    allows(trigger["years"], year)
  );
}

function allows(member: unknown, value: number): boolean {
  const list = numbersOf(member);
  return list === undefined || list.length === 0 || list.includes(value);
}

/** False when the dates alone show that no minute of the span can match. A day on each side covers every clock change. */
export function mayMatchDates(trigger: Trigger, span: { from: number; to: number }, rules: ZoneRules): boolean {
  const zone = zoneOf(trigger, rules);
  const walls = [span.from, span.to].map((minute) => rules.calendar.wallOf(minute, zone));
  for (let day = Math.min(...walls) - DAY; day <= Math.max(...walls) + DAY; day += DAY)
    if (matchesDate(trigger, partsOf(day))) return true;
  return false;
}

/** The lists of a pattern, in the order in which people read a date. */
const LISTS: readonly (readonly [string, (parts: CalendarParts) => readonly number[]])[] = [
  ["years", ({ year }) => [year]],
  ["months", ({ month }) => [month]],
  ["days", ({ day, reverseDay }) => [day, reverseDay]],
  ["weekdays", ({ weekday }) => [weekday]],
  ["hours", ({ hour }) => [hour]],
  ["minutes", ({ minute }) => [minute]],
];

/** Whether a pattern is due in a minute, and a sentence that says why. */
export function explainPattern(trigger: Trigger, minute: number, rules: ZoneRules): { due: boolean; text: string } {
  const zone = zoneOf(trigger, rules);
  const wall = rules.calendar.wallOf(minute, zone);
  const shown = `${new Date(wall * 1000).toISOString().slice(0, 16).replace("T", " ")} (${zone || machineZone()})`;
  const due = isScheduleDue(trigger, minute, rules);
  const isHit = matchesPattern(trigger, wall);
  if (due && isHit) return { due, text: `Due at ${shown}.` };
  if (due) return { due, text: `Due at ${shown}, in place of a time that clocks skipped just before.` };
  if (isHit) return { due, text: `Clocks went back: ${shown} was shown before, and the trigger runs once.` };
  const parts = partsOf(wall);
  const missed = LISTS.filter(([list, read]) => !read(parts).some((value) => allows(trigger[list], value)));
  return { due, text: `Not due at ${shown}: its ${missed.map(([list]) => list).join(", ")} do not match.` };
}
