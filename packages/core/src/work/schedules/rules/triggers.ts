import type { Event, Trigger } from "../../events/model.ts";
import { MAX_SECONDS, MAX_TRIGGERS } from "../../events/rules/bounds.ts";
import { isScheduleDue, numbersOf, type ZoneRules } from "./pattern.ts";

/** A trigger with the key that names its runs. */
export interface Launcher {
  readonly trigger: Trigger;
  readonly key: string;
}

/** The enabled triggers of an event, sorted by type. */
export interface Schedule {
  readonly launchers: readonly Launcher[];
  readonly ranges: readonly Trigger[];
  readonly blackouts: readonly Trigger[];
  readonly catchup: boolean;
  /** Runs one in this many due minutes. */
  readonly every: number | undefined;
  /** Seconds. */
  readonly delay: number | undefined;
  /** Seconds within the minute. */
  readonly seconds: readonly number[] | undefined;
  readonly quiet: Trigger | undefined;
  /** Decides about each due run. */
  readonly plugin: Trigger | undefined;
}

/** One job that is to start. */
export interface DueRun {
  readonly launcher: Launcher;
  /** Nominal time, Unix seconds. */
  readonly now: number;
  /** Start no earlier, Unix seconds. */
  readonly until?: number;
}

const MINUTE = 60;
/** Types of triggers that launch at minutes of the clock. */
export const LAUNCHING: ReadonlySet<string> = new Set(["schedule", "interval", "single"]);

/**
 * Undefined when no trigger starts the event by the clock. Events that were stored before the number of triggers was bounded keep
 * their first triggers, so that none of them delays the others.
 */
export function scheduleOf(event: Pick<Event, "triggers">): Schedule | undefined {
  const active = named(event.triggers.slice(0, MAX_TRIGGERS)).filter(({ trigger }) => trigger.enabled);
  const launchers = active.filter(({ trigger }) => LAUNCHING.has(trigger.type));
  if (launchers.length === 0) return undefined;
  const all = (type: string): Trigger[] => active.map(({ trigger }) => trigger).filter((each) => each.type === type);
  const first = (type: string): Trigger | undefined => all(type)[0];
  return {
    launchers,
    ranges: all("range"),
    blackouts: all("blackout"),
    catchup: first("catchup") !== undefined,
    every: numberOf(first("nth")?.["every"]),
    delay: numberOf(first("delay")?.["duration"]),
    seconds: secondsOf(first("precision")),
    quiet: first("quiet"),
    plugin: first("plugin"),
  };
}

/** Seconds of a precision trigger, without duplicates: a repeated one would be the same run again. */
function secondsOf(precision: Trigger | undefined): readonly number[] | undefined {
  const seconds = numbersOf(precision?.["seconds"]);
  return seconds && [...new Set(seconds.slice(0, MAX_SECONDS))];
}

/** Cost of one minute of a schedule: the number of triggers to check. */
export const looksPerMinute = ({ launchers, ranges, blackouts }: Schedule): number =>
  launchers.length + ranges.length + blackouts.length;

/** Gives triggers unique names: copies of a trigger may share an id, but their runs are separate. */
function named(triggers: readonly Trigger[]): Launcher[] {
  const taken = new Set<string>();
  return triggers.map((trigger, index) => {
    const own = keyOf(trigger, index);
    const key = taken.has(own) ? `${own}#${index}` : own;
    taken.add(key);
    return { trigger, key };
  });
}

export const keyOf = (trigger: Trigger, index: number): string =>
  typeof trigger["id"] === "string" ? trigger["id"] : String(index);

/** The triggers that are due in a minute, after ranges and blackouts are applied (docs/contract/schedules.md#minutes). */
export function hitsAt(schedule: Schedule, minute: number, rules: ZoneRules): Launcher[] {
  if (schedule.ranges.length > 0 && !schedule.ranges.some((range) => isInRange(range, minute))) return [];
  if (schedule.blackouts.some((blackout) => isInBlackout(blackout, minute))) return [];
  return schedule.launchers.filter(({ trigger }) => isDue(trigger, minute, rules));
}

/** The jobs of a due minute: one per trigger, or one per second of an interval or precision trigger. */
export function runsOf(schedule: Schedule, hits: readonly Launcher[], minute: number): DueRun[] {
  return hits.flatMap((launcher) => {
    // The program is asked once per hit, at the whole minute.
    if (schedule.plugin) return [wholeMinute(launcher, minute, schedule.delay)];
    const seconds = offsetsOf(launcher.trigger, minute) ?? schedule.seconds;
    if (seconds) return seconds.map((second) => ({ launcher, now: minute + second, until: minute + second }));
    return [wholeMinute(launcher, minute, schedule.delay)];
  });
}

const wholeMinute = (launcher: Launcher, minute: number, delay: number | undefined): DueRun => ({
  launcher,
  now: minute,
  ...(delay === undefined ? {} : { until: minute + delay }),
});

/** One step of an every-nth counter; the very first due minute runs. */
export function countNth(
  counter: number | undefined,
  every: number,
): { readonly counter: number; readonly runs: boolean } {
  const left = (counter ?? 0) - 1;
  return left > 0 ? { counter: left, runs: false } : { counter: every, runs: true };
}

export function isDue(trigger: Trigger, minute: number, rules: ZoneRules): boolean {
  if (trigger.type === "single") return floorMinute(numberOf(trigger["epoch"])) === minute;
  if (trigger.type === "interval") return (offsetsOf(trigger, minute) ?? []).length > 0;
  return isScheduleDue(trigger, minute, rules);
}

const floorMinute = (epoch: number | undefined): number | undefined =>
  epoch === undefined ? undefined : Math.floor(epoch / MINUTE) * MINUTE;

/** True when a minute is within a range; a range without start and end contains none. */
export function isInRange({ start, end }: Trigger, minute: number): boolean {
  const [from, to] = [numberOf(start), numberOf(end)];
  if (from === undefined && to === undefined) return false;
  return minute >= (from ?? Number.NEGATIVE_INFINITY) && minute <= (to ?? Number.POSITIVE_INFINITY);
}

export function isInBlackout({ start, end }: Trigger, minute: number): boolean {
  const [from, to] = [numberOf(start), numberOf(end)];
  return from !== undefined && to !== undefined && minute >= from && minute <= to;
}

/** Seconds after the minute at which an interval fires; undefined for other triggers. At most one run per second. */
function offsetsOf(trigger: Trigger, minute: number): number[] | undefined {
  if (trigger.type !== "interval") return undefined;
  const [start, duration] = [numberOf(trigger["start"]), numberOf(trigger["duration"])];
  if (start === undefined || duration === undefined || duration <= 0 || start >= minute + MINUTE) return [];
  const step = Math.max(1, duration);
  const offsets: number[] = [];
  let count = Math.max(0, Math.ceil((minute - start) / step));
  for (let time = start + count * step; time < minute + MINUTE; time = start + ++count * step)
    offsets.push(Math.floor(time) - minute);
  return offsets;
}

/** A value of a trigger if it is a number; triggers are open records. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
