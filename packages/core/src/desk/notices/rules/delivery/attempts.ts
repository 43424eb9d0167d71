import type { Notice } from "../../model.ts";

/** Seconds after the first attempt at which the second comes, the third … */
const SCHEDULE = [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
/** Least seconds between two attempts, where the schedule was missed. */
const LEAST_SEC = 5;
/** Seconds from the decision after which a notice is given up. */
const DEADLINE_SEC = 3600;

/** Faults that the same request will meet again; answers of web hooks name the status. */
const PERMANENT = /HTTP (?:400|401|403|404|405|410|413|422)\b|not a mail address|not found|is disabled|refused target/i;

/** Whether the service refused a notice for its length. */
export const isTooLarge = (description: string): boolean => /HTTP 413\b/.test(description);

/** Firings that are listed where a longer list was too much. */
export const SHORT_LIST = 20;

/** Faults of a sent notice without an answer: its receiver may have taken it. */
const UNANSWERED = /timed? ?out|no answer|connection (?:was )?(?:lost|reset)|socket hang up|ECONNRESET|ETIMEDOUT/i;

export const isUnanswered = ({ code, description }: { readonly code: number | string; readonly description: string }) =>
  code === "timeout" || UNANSWERED.test(description);

/** Seconds after which the fallback is told, while the attempts go on. */
const PATIENCE_SEC = 900;
const PATIENCE_CRITICAL_SEC = 300;

interface Waiting {
  readonly severity: string;
  /** Unix seconds of the decision. */
  readonly date: number;
  readonly now: number;
}

/** Unix seconds at which a notice that has not arrived has waited long enough for the fallback to be told. */
export const patienceEnds = ({ severity, date }: Omit<Waiting, "now">): number =>
  date + (severity === "critical" ? PATIENCE_CRITICAL_SEC : PATIENCE_SEC);

export const isFallbackDue = ({ now, ...notice }: Waiting): boolean => now >= patienceEnds(notice);

export interface Attempt {
  /** Unix seconds of the decision. */
  readonly date: number;
  /** Unix seconds of the first attempt. */
  readonly first: number;
  /** Attempts so far, the failed one included. */
  readonly attempts: number;
  /** Unix seconds. */
  readonly now: number;
  readonly description: string;
  /** The service will refuse it again, or asks for so many seconds. */
  readonly isFinal?: boolean | undefined;
  readonly waitSec?: number | undefined;
}

/** Most seconds for which a service, or the lease of an attempt, puts the next one off. */
const MOST_WAIT_SEC = 300;

/** Unix seconds after which no clock puts the attempt that follows `attempts` ones; `first` is the time of the first one. */
const latestAgain = (first: number, attempts: number, now: number): number =>
  Math.max(first + (SCHEDULE[attempts - 1] ?? DEADLINE_SEC), now + MOST_WAIT_SEC);

/** Unix seconds at which a failed notice is tried again; undefined = never. */
export function nextAttempt(attempt: Attempt): number | undefined {
  const { date, first, attempts, now, description, isFinal, waitSec = 0 } = attempt;
  if (isFinal || PERMANENT.test(description) || now - date >= DEADLINE_SEC) return undefined;
  return Math.max(first + (SCHEDULE[attempts - 1] ?? DEADLINE_SEC), now + LEAST_SEC, now + waitSec);
}

type InLine = Pick<Notice, "problem" | "seq" | "date">;

/** Notices in the order of their decisions. Dates say it, but of one problem the numbers: clocks are set back. */
export function inLine<N extends InLine>(waiting: readonly N[]): N[] {
  const ofProblem = Map.groupBy(waiting, ({ problem }) => problem);
  const before = ({ problem, seq }: N): number =>
    Math.min(...(ofProblem.get(problem) ?? []).flatMap((each) => (each.seq >= seq ? each.date : [])));
  const places = new Map(waiting.map((each) => [each, before(each)]));
  return waiting.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || a.seq - b.seq);
}

type Times = Pick<Notice, "begun" | "date" | "next">;

/**
 * The times of a waiting notice once a clock that was ahead is right again: times to come count as now, and are stored so. Otherwise
 * each later step would be put off once more. Undefined = the times are good as they are.
 */
export function timesAgain({ date, begun, next, attempts }: Times & Pick<Notice, "attempts">, now: number) {
  const first = begun === undefined ? undefined : Math.min(begun, now);
  const again = { date: Math.min(date, now), next: Math.min(next, latestAgain(first ?? now, attempts, now)) };
  if (again.date === date && first === begun && again.next === next) return undefined;
  return {
    ...again,
    next: date > now ? Math.min(again.next, now) : again.next,
    ...(first === undefined ? {} : { begun: first }),
  };
}
