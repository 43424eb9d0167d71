import type { EventState } from "../../events/model.ts";
import type { ZoneRules } from "./pattern.ts";
import { countNth, type DueRun, hitsAt, looksPerMinute, runsOf, type Schedule } from "./triggers.ts";

/** The runs that a pass launches for one event, and the event's state afterwards. */
export interface Plan {
  readonly runs: readonly DueRun[];
  readonly state: EventState;
  /** Runs or counters must be stored now; otherwise only the catch-up cursor moved. */
  readonly isDue: boolean;
  /** Minutes that were evaluated. */
  readonly minutes: number;
  /** The last one of them, Unix seconds. */
  readonly reached: number;
  /** The plan ended before its window because it reached a bound of runs or cost. */
  readonly isCut: boolean;
}

/** A span of whole minutes in Unix seconds: after `from`, up to and including `to`. */
export interface Window {
  readonly from: number;
  readonly to: number;
  /** Every event has been evaluated up to here: `from`, unless passes were missed or cut short. Absent = `from`. */
  readonly since?: number | undefined;
  /** Minutes of a backlog to evaluate; absent = as many as one pass may. */
  readonly most?: number;
}

const MINUTE = 60;
/** Seconds. Minutes skipped by a stall of up to this length are still evaluated. */
const MAX_STALL = 120;
/** Minutes of a backlog that one event works off in one pass (docs/contract/schedules.md#missed-minutes). */
export const MAX_CATCHUP = 1440;
/**
 * A plan ends with the minute that reaches this many runs, and a transaction launches no more: a launch blocks the event loop for
 * up to 0.4 ms.
 */
export const MAX_RUNS = 25;
/** A plan ends after this many checks of triggers, which take some milliseconds, to yield to other work. */
const MAX_LOOKS = 2000;

/**
 * Evaluates the minutes after `from` up to and including `to` (whole minutes, Unix seconds). An event with catch-up begins at its
 * own cursor, any other event after the last minute in which it was due.
 */
export function planEvent(schedule: Schedule, state: EventState, window: Window, rules: ZoneRules): Plan {
  const span = spanOf(schedule, state, window);
  const runs: DueRun[] = [];
  let next = state;
  let reached = span.first - MINUTE;
  let isDue = false;
  const last = Math.min(span.last, reached + MINUTE * Math.ceil(MAX_LOOKS / looksPerMinute(schedule)));
  while (reached < last && runs.length < MAX_RUNS) {
    reached += MINUTE;
    const hits = hitsAt(schedule, reached, rules);
    if (hits.length === 0) continue;
    isDue = true;
    const counted = countDue(schedule, next, reached);
    next = counted.state;
    if (counted.runs) runs.push(...runsOf(schedule, hits, reached));
  }
  const minutes = (reached - span.first) / MINUTE + 1;
  const stored = schedule.catchup && minutes > 0 ? { ...next, cursor: reached } : next;
  return { runs, state: stored, isDue, minutes, reached, isCut: reached < span.last };
}

function spanOf(
  schedule: Schedule,
  state: EventState,
  { from, to, most = MAX_CATCHUP }: Window,
): { first: number; last: number } {
  const { seen = from } = state;
  // A minute far ahead was evaluated by a clock that has been set back since.
  const start = schedule.catchup ? (state.cursor ?? from) : seen - to > MAX_STALL ? from : Math.max(from, seen);
  const first = Math.floor(start / MINUTE) * MINUTE + MINUTE;
  return { first, last: Math.min(to, first + (most - 1) * MINUTE) };
}

function countDue(schedule: Schedule, state: EventState, minute: number): { state: EventState; runs: boolean } {
  const seen = Math.max(state.seen ?? minute, minute);
  if (schedule.every === undefined) return { state: { ...state, seen }, runs: true };
  const { counter, runs } = countNth(state.nth, schedule.every);
  return { state: { ...state, seen, nth: counter }, runs };
}

export interface Tick {
  /** Unix seconds. */
  readonly now: number;
  /**
   * When this engine started, or the earliest start of the engines that it met alive. Unix seconds: minutes before it were
   * missed.
   */
  readonly started: number;
  /** Last minute that any engine has evaluated. */
  readonly cursor: number | undefined;
  /** A pass that was begun but never ended: it launched some events of its minutes, but not all. */
  readonly begun?: Window | undefined;
}

/** The minutes of a pass: after `from`, up to `to`. Empty when the clock stepped back or the minute was already evaluated. */
export function windowOf({ now, started, cursor, begun }: Tick): Window {
  const to = Math.floor(now / MINUTE) * MINUTE;
  // The first whole minute at or after the second of the start belongs to this engine.
  const earliest = Math.ceil(Math.floor(started) / MINUTE) * MINUTE - MINUTE;
  const last = cursor ?? earliest;
  const isStall = now - (last + MINUTE) <= MAX_STALL;
  const from = Math.max(earliest, isStall ? last : to - MINUTE);
  // The next engine finishes the pass that a killed engine had begun, even if it started later.
  const isTorn = begun !== undefined && now - (begun.from + MINUTE) <= MAX_STALL && begun.from >= (cursor ?? 0);
  return { from: isTorn ? Math.min(from, begun.from) : from, to, since: begun?.since ?? last };
}
