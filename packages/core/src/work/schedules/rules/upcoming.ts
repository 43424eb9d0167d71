import type { Trigger } from "../../events/model.ts";
import { mayMatchDates, type ZoneRules } from "./pattern.ts";
import { countNth, type DueRun, hitsAt, looksPerMinute, numberOf, runsOf, type Schedule } from "./triggers.ts";

const MINUTE = 60;
const DAY = 86_400;
/** The longest time between two runs of a date: 29 February across a century year that is no leap year. */
const HORIZON_DAYS = 3_300;
/** Cost of checking a trigger against the dates of one day. Checking one minute costs 1. */
const DAY_COST = 20;
/** Highest cost of a search, about a fifth of a second: for one trigger, a hundred days of minutes and nine years of dates. */
const MAX_COST = 220_000;
/** Cost after which the search yields to other work: about a millisecond. */
const TURN_COST = 1000;

export interface SearchOptions {
  /** Unix seconds; this minute counts too. */
  readonly from: number;
  /** Number of runs to find. */
  readonly limit: number;
  /** Highest cost of the search, instead of `MAX_COST`. */
  readonly most?: number;
}

/** One of the schedules that are searched side by side. */
export interface Planned {
  readonly schedule: Schedule;
  /** Current counter of an every-nth modifier. */
  readonly nth?: number | undefined;
}

export interface UpcomingRun extends DueRun {
  /** Index of its schedule. */
  readonly of: number;
}

export interface Upcoming {
  readonly runs: readonly UpcomingRun[];
  /** Last minute that was searched, Unix seconds. */
  readonly until: number;
}

/** A schedule with its index and its cost. */
interface Search {
  readonly schedule: Schedule;
  readonly of: number;
  readonly looks: number;
  counter: number | undefined;
}

interface Progress {
  /** The next minute to check, Unix seconds. */
  minute: number;
  spent: number;
  /** The cost already spent when the search last yielded. */
  rested: number;
  readonly runs: UpcomingRun[];
}

/**
 * The next runs of some schedules, in order. Yields about every millisecond, so that other work can run. Ends with the limit,
 * after nine years, or when the search has cost too much: with many triggers, or with one that rarely hits.
 */
export function* findUpcoming(
  planned: readonly Planned[],
  { from, limit, most = MAX_COST }: SearchOptions,
  rules: ZoneRules,
): Generator<void, Upcoming> {
  const all = planned.map(({ schedule, nth }, of) => ({ schedule, of, looks: looksPerMinute(schedule), counter: nth }));
  const progress: Progress = { minute: Math.ceil(from / MINUTE) * MINUTE, spent: 0, rested: 0, runs: [] };
  const isOpen = (): boolean => progress.spent < most && progress.runs.length < limit;
  for (let days = 0; days < HORIZON_DAYS && isOpen(); days++) {
    const last = (Math.floor(progress.minute / DAY) + 1) * DAY - MINUTE;
    const hitting = yield* hittingOf(all, { progress, to: last }, rules);
    if (hitting.length === 0) progress.minute = last + MINUTE;
    for (; progress.minute <= last && isOpen(); progress.minute += MINUTE) yield* addMinute(hitting, progress, rules);
  }
  const inOrder = progress.runs.toSorted((left, right) => left.now - right.now);
  return { runs: inOrder.slice(0, limit), until: progress.minute - MINUTE };
}

/** The next runs of one schedule without yielding, for rare and short searches. */
export function nextRuns(planned: Planned, options: SearchOptions, rules: ZoneRules): readonly UpcomingRun[] {
  const steps = findUpcoming([planned], options, rules);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.runs;
}

/** Triggers that may fire before the end of the day. */
function* hittingOf(
  all: readonly Search[],
  { progress, to }: { readonly progress: Progress; readonly to: number },
  rules: ZoneRules,
): Generator<void, readonly Search[]> {
  const hitting: Search[] = [];
  for (const search of all) {
    if (mayHit(search.schedule, { from: progress.minute, to }, rules)) hitting.push(search);
    if (spend(progress, search.looks * DAY_COST)) yield;
  }
  return hitting;
}

/** True when the search should yield. */
function spend(progress: Progress, cost: number): boolean {
  progress.spent += cost;
  if (progress.spent - progress.rested < TURN_COST) return false;
  progress.rested = progress.spent;
  return true;
}

function* addMinute(hitting: readonly Search[], progress: Progress, rules: ZoneRules): Generator<void> {
  for (const search of hitting) {
    addRuns(search, progress, rules);
    if (spend(progress, search.looks)) yield;
  }
}

function addRuns(search: Search, { minute, runs }: Progress, rules: ZoneRules): void {
  const { schedule, of } = search;
  const hits = hitsAt(schedule, minute, rules);
  if (hits.length === 0) return;
  const step = schedule.every === undefined ? undefined : countNth(search.counter, schedule.every);
  search.counter = step?.counter;
  if (step?.runs ?? true) runs.push(...runsOf(schedule, hits, minute).map((run) => ({ ...run, of })));
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** False when a span of minutes certainly has no run; the dates alone rule out whole days. */
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
