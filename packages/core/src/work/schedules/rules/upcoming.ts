import type { Trigger } from "../../events/model.ts";
import { mayMatchDates, type ZoneRules } from "./pattern.ts";
import { countNth, type DueRun, hitsAt, looksPerMinute, numberOf, runsOf, type Schedule } from "./triggers.ts";

const MINUTE = 60;
const DAY = 86_400;
/** The longest pause of a date: 29 February around a year without one. */
const HORIZON_DAYS = 3_300;
/** What a look at one trigger costs: one for a minute, this for the dates of a day. */
const DAY_COST = 20;
/** Of one search: a hundred days of minutes for one trigger and nine years of dates, a fifth of a second. */
const MAX_COST = 220_000;
/** Spent before others get their turn: a millisecond. */
const TURN_COST = 1000;

export interface SearchOptions {
  /** The minute of this time counts too. Unix seconds. */
  readonly from: number;
  /** Runs to find. */
  readonly limit: number;
  /** Counter of an every-nth modifier as it is now. */
  readonly nth: number | undefined;
}

export interface Upcoming {
  readonly runs: readonly DueRun[];
  /** Last minute that was looked at, Unix seconds. */
  readonly until: number;
}

interface Progress {
  /** The next one to look at, Unix seconds. */
  minute: number;
  /** Counter of an every-nth modifier. */
  counter: number | undefined;
  /** Of `MAX_COST`. */
  spent: number;
  /** Spent when others had their turn. */
  rested: number;
  readonly runs: DueRun[];
}

/**
 * The next runs of a schedule, in order. Yields after each millisecond or so, for others to get their turn. Ends with the
 * limit, after nine years, or when it has cost too much: many triggers, or one that hits rarely among many minutes.
 */
export function* findUpcoming(schedule: Schedule, options: SearchOptions, rules: ZoneRules): Generator<void, Upcoming> {
  const { from, limit, nth } = options;
  const looks = looksPerMinute(schedule);
  const progress: Progress = {
    minute: Math.ceil(from / MINUTE) * MINUTE,
    counter: nth,
    spent: 0,
    rested: 0,
    runs: [],
  };
  for (let days = 0; days < HORIZON_DAYS && isOpen(progress, limit); days++) {
    const last = (Math.floor(progress.minute / DAY) + 1) * DAY - MINUTE;
    if (spend(progress, looks * DAY_COST)) yield;
    if (!mayHit(schedule, { from: progress.minute, to: last }, rules)) progress.minute = last + MINUTE;
    for (; progress.minute <= last && isOpen(progress, limit); progress.minute += MINUTE) {
      addRuns(schedule, progress, rules);
      if (spend(progress, looks)) yield;
    }
  }
  return { runs: progress.runs.slice(0, limit), until: progress.minute - MINUTE };
}

const isOpen = ({ spent, runs }: Progress, limit: number): boolean => spent < MAX_COST && runs.length < limit;

/** True when others are to have their turn. */
function spend(progress: Progress, cost: number): boolean {
  progress.spent += cost;
  if (progress.spent - progress.rested < TURN_COST) return false;
  progress.rested = progress.spent;
  return true;
}

function addRuns(schedule: Schedule, progress: Progress, rules: ZoneRules): void {
  const { minute } = progress;
  const hits = hitsAt(schedule, minute, rules);
  if (hits.length === 0) return;
  const step = schedule.every === undefined ? undefined : countNth(progress.counter, schedule.every);
  progress.counter = step?.counter;
  if (step?.runs ?? true) progress.runs.push(...runsOf(schedule, hits, minute));
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** False when a span of minutes surely has no run: whole days are passed over by their date. */
function mayHit({ launchers, ranges, blackouts }: Schedule, span: Span, rules: ZoneRules): boolean {
  const isInside = ranges.length === 0 || ranges.some((range) => reaches(range, span));
  const isClosed = blackouts.some((blackout) => covers(blackout, span));
  return isInside && !isClosed && launchers.some(({ trigger }) => mayBeDue(trigger, span, rules));
}

function reaches({ start, end }: Trigger, { from, to }: Span): boolean {
  const [first, last] = [numberOf(start), numberOf(end)];
  if (first === undefined && last === undefined) return false;
  return (first ?? Number.NEGATIVE_INFINITY) <= to && (last ?? Number.POSITIVE_INFINITY) >= from;
}

function covers({ start, end }: Trigger, { from, to }: Span): boolean {
  const [first, last] = [numberOf(start), numberOf(end)];
  return first !== undefined && last !== undefined && first <= from && last >= to;
}

function mayBeDue(trigger: Trigger, span: Span, rules: ZoneRules): boolean {
  if (trigger.type === "schedule") return mayMatchDates(trigger, span, rules);
  if (trigger.type === "single") return isWithin(numberOf(trigger["epoch"]), span);
  const [start, duration] = [numberOf(trigger["start"]), numberOf(trigger["duration"])];
  if (start === undefined || duration === undefined || duration <= 0) return false;
  const count = Math.max(0, Math.ceil((span.from - start) / duration));
  return isWithin(start + count * duration, span);
}

const isWithin = (time: number | undefined, { from, to }: Span): boolean =>
  time !== undefined && time >= from && time < to + MINUTE;
