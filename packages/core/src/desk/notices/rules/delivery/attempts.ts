import type { Notice } from "../../model.ts";

/** Seconds from the first attempt to the second, the third … */
const SCHEDULE = [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
/** Minimum seconds between two attempts, for when the schedule was missed. */
const LEAST_SEC = 5;
/** Seconds from the decision after which a notice is given up. */
const DEADLINE_SEC = 3600;

/** Faults that would recur with the same request; answers of web hooks name the status. */
const PERMANENT = /HTTP (?:400|401|403|404|405|410|413|422)\b|not a mail address|not found|is disabled|refused target/i;

/** Whether the service refused a notice for its length. */
export const isTooLarge = (description: string): boolean => /HTTP 413\b/.test(description);

/** Maximum firings to list after a longer list was too large. */
export const SHORT_LIST = 20;

/** Faults that mean no answer came after sending: the receiver may have accepted the notice. */
const UNANSWERED = /timed? ?out|no answer|connection (?:was )?(?:lost|reset)|socket hang up|ECONNRESET|ETIMEDOUT/i;

export const isUnanswered = ({ code, description }: { readonly code: number | string; readonly description: string }) =>
  code === "timeout" || UNANSWERED.test(description);

/** Seconds after which the fallback is notified while attempts continue. */
const PATIENCE_SEC = 900;
const PATIENCE_CRITICAL_SEC = 300;

interface Waiting {
  readonly severity: string;
  /** Unix seconds of the decision. */
  readonly date: number;
  readonly now: number;
}

/** Unix seconds at which an undelivered notice has waited so long that the fallback is notified. */
export const patienceEnds = ({ severity, date }: Omit<Waiting, "now">): number =>
  date + (severity === "critical" ? PATIENCE_CRITICAL_SEC : PATIENCE_SEC);

export const isFallbackDue = ({ now, ...notice }: Waiting): boolean => now >= patienceEnds(notice);

export interface Attempt {
  /** Unix seconds of the decision. */
  readonly date: number;
  /** Unix seconds of the first attempt. */
  readonly first: number;
  /** Attempts so far, including the failed one. */
  readonly attempts: number;
  /** Unix seconds. */
  readonly now: number;
  readonly description: string;
  /** `isFinal`: the service would refuse it again. `waitSec`: the seconds that the service asks to wait. */
  readonly isFinal?: boolean | undefined;
  readonly waitSec?: number | undefined;
}

/** Maximum seconds by which a service, or the claim of an attempt, delays the next one. */
const MOST_WAIT_SEC = 300;

/**
 * Latest Unix seconds that a correct clock can have set for the next attempt, after `attempts` ones of which the first was at
 * `first`.
 */
const latestAgain = (first: number, attempts: number, now: number): number =>
  Math.max(first + (SCHEDULE[attempts - 1] ?? DEADLINE_SEC), now + MOST_WAIT_SEC);

/** Unix seconds at which a failed notice is retried; undefined = never. */
export function nextAttempt(attempt: Attempt): number | undefined {
  const { date, first, attempts, now, description, isFinal, waitSec = 0 } = attempt;
  if (isFinal || PERMANENT.test(description) || now - date >= DEADLINE_SEC) return undefined;
  return Math.max(first + (SCHEDULE[attempts - 1] ?? DEADLINE_SEC), now + LEAST_SEC, now + waitSec);
}

type InLine = Pick<Notice, "problem" | "seq" | "date">;

/** Sorts notices by their decisions: by date, but within a problem by `seq`, since a clock may have been set back. */
export function inLine<N extends InLine>(waiting: readonly N[]): N[] {
  const ofProblem = Map.groupBy(waiting, ({ problem }) => problem);
  const before = ({ problem, seq }: N): number =>
    Math.min(...(ofProblem.get(problem) ?? []).flatMap((each) => (each.seq >= seq ? each.date : [])));
  const places = new Map(waiting.map((each) => [each, before(each)]));
  return waiting.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || a.seq - b.seq);
}

type Times = Pick<Notice, "begun" | "date" | "next">;

/**
 * Corrects the times of a waiting notice after a clock that was ahead was set right: future times become now, and are stored, as
 * otherwise each later step would be delayed again. Undefined = the times are plausible.
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
