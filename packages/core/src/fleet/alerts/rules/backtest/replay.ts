import type { Bucket } from "../../../monitors/model.ts";
import type { Alert, Streak } from "../../model.ts";
import { advance, type Patience, type Verdict } from "../evaluation/evaluate.ts";
import { addMinute, type Stretch } from "./stretches.ts";

/** The server or other subject of a past firing. */
export type PastPlace = {
  /** "" = the subject is not a server. */
  readonly server: string;
  readonly event?: string;
  readonly heartbeat?: string;
  readonly check?: string;
};

/** A firing that would have happened. Times are Unix seconds of the start of a minute. */
export interface PastInvocation extends PastPlace {
  /** The first true minute. */
  readonly date: number;
  readonly fired: number;
  /** Absent = it would still be live at the end of the examined time. */
  readonly cleared?: number;
  /** It would have ended for lack of readings. */
  readonly stale?: boolean;
  /** Message at the last true minute. */
  readonly message: string;
  /** Number of true minutes from the first to the last. */
  readonly true_minutes: number;
}

/** Values of one past minute. */
export interface PastMinute {
  /** Unix seconds. */
  readonly date: number;
  /** Values that expressions read. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Minutes since the epoch; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A compiled definition. Neither function throws. */
export interface PastAlert {
  readonly patience: Patience;
  readonly judge: (context: unknown) => Verdict;
  readonly message: (context: unknown) => string;
}

interface Run {
  readonly streak: Streak;
  readonly fired: number | undefined;
  readonly trueMinutes: number;
}

/** Replays definitions over the minutes of one subject, oldest first. */
export interface Replay {
  /** Processes the next minute: its Unix seconds, and the values that expressions read. */
  step(date: number, context: Readonly<Record<string, unknown>>): void;
  /** Says that no minute comes before this time (Unix seconds), so that an open firing may end for lack of data. */
  end(date: number): void;
  /** The invocations so far, including the open one. */
  found(): PastInvocation[];
  /** Spans in which the condition was true but had not fired, oldest first. */
  warmups(): readonly Stretch[];
}

/** Seconds of tolerance before silence is certain: a timeline knows the minute of a sample, not its second. */
const SLACK = 60;

/**
 * Runs the state machine of live alerts over stored minutes. `staleAfter`: seconds without readings that end an alert.
 */
export function createReplay(where: PastPlace, alert: PastAlert, staleAfter: number): Replay {
  const done: PastInvocation[] = [];
  const warm: Stretch[] = [];
  let run: Run | undefined;
  let last: number | undefined;

  const close = (members: { readonly cleared?: number; readonly stale?: boolean }): void => {
    if (run?.fired !== undefined) done.push(past(where, run, members));
    run = undefined;
  };
  const endSilent = (date: number): void => {
    if (last !== undefined && date - last > staleAfter + SLACK) close({ cleared: last + staleAfter, stale: true });
  };

  return {
    end: endSilent,
    warmups: () => warm,
    step(date, context) {
      endSilent(date);
      last = date;
      const verdict = alert.judge(context);
      const sample = { verdict, now: date, alert: alert.patience, expression: "", newId: () => "" };
      const { streak, change } = advance(run?.streak, { ...sample, message: () => alert.message(context) });
      if (!streak) return close({ cleared: date });
      if (!streak.notified) addMinute(warm, date);
      run = {
        streak,
        fired: change === "fired" ? date : run?.fired,
        trueMinutes: (run?.trueMinutes ?? 0) + (verdict === "holds" ? 1 : 0),
      };
    },
    found: () => (run?.fired === undefined ? [...done] : [...done, past(where, run, {})]),
  };
}

function past(where: PastPlace, { streak, fired = streak.date, trueMinutes }: Run, members: object): PastInvocation {
  return { ...where, date: streak.date, fired, message: streak.message, true_minutes: trueMinutes, ...members };
}

/**
 * Turns a point of a timeline into the values that expressions read. Timelines keep sums, so a minute with several
 * samples yields their averages.
 */
export function contextOfPoint({ totals, deltas = {}, count, counts = {} }: Bucket) {
  const averages = (sums: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(sums).map(([id, sum]) => [id, sum / Math.max(counts[id] ?? count, 1)]));
  return { monitors: averages(totals), deltas: averages(deltas) };
}

/** Seconds after which a live alert ends even if it is kept while its server is silent (a week). */
export const KEPT_SEC = 7 * 86_400;

/** Seconds without readings after which an alert ends. */
export const staleAfter = ({ no_data }: Pick<Alert, "no_data">, timeout: number): number =>
  no_data === "keep" ? KEPT_SEC : timeout;
