import type { Bucket } from "../../../monitors/model.ts";
import type { Alert, Streak } from "../../model.ts";
import { advance, type Patience, type Verdict } from "../evaluation/evaluate.ts";
import { addMinute, type Stretch } from "./stretches.ts";

/** Server or other subject of a past firing. */
export type PastPlace = {
  /** "" = the subject is no server. */
  readonly server: string;
  readonly event?: string;
  readonly heartbeat?: string;
  readonly check?: string;
};

/** A firing that would have happened. Times are Unix seconds, of the minute's beginning. */
export interface PastInvocation extends PastPlace {
  /** First true minute. */
  readonly date: number;
  readonly fired: number;
  /** Absent = it would still be active at the end of the time that was looked at. */
  readonly cleared?: number;
  /** It would have ended because readings stayed away. */
  readonly stale?: boolean;
  /** Message at the last true minute. */
  readonly message: string;
  /** True minutes from the first to the last. */
  readonly true_minutes: number;
}

/** Values of one past minute. */
export interface PastMinute {
  /** Unix seconds. */
  readonly date: number;
  /** Values that expressions read. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Minutes since the epoch; `to` is not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A definition, ready to look at minutes. Neither member throws. */
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

/** One server, or another subject, on its way through its minutes, oldest first. */
export interface Replay {
  /** Takes the next minute: its Unix seconds, and the values that expressions read. */
  step(date: number, context: Readonly<Record<string, unknown>>): void;
  /** No minute comes before this time, in Unix seconds: an open firing may have ended for want of data. */
  end(date: number): void;
  /** The invocations so far, the open one included. */
  found(): PastInvocation[];
  /** Times in which it was true and had not fired, oldest first. */
  warmups(): readonly Stretch[];
}

/** A timeline knows the hour's minute of a sample, not its second: a minute more may pass before silence is certain. */
const SLACK = 60;

/**
 * Drives the state machine of live alerts over stored minutes. `staleAfter`: seconds without readings that end an
 * alert.
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

/** Timelines keep sums; a minute with several samples shows their average. */
export function contextOfPoint({ totals, deltas = {}, count, counts = {} }: Bucket) {
  const averages = (sums: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(sums).map(([id, sum]) => [id, sum / Math.max(counts[id] ?? count, 1)]));
  return { monitors: averages(totals), deltas: averages(deltas) };
}

/** A live alert that outlives the silence of its server does so for a week. Seconds. */
export const KEPT_SEC = 7 * 86_400;

/** Seconds without readings after which an alert ends. */
export const staleAfter = ({ no_data }: Pick<Alert, "no_data">, timeout: number): number =>
  no_data === "keep" ? KEPT_SEC : timeout;
