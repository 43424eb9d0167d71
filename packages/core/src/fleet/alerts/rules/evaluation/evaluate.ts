import type { Alert, Streak } from "../../model.ts";

/**
 * Verdict on a sample: the condition holds ("holds"); it does not ("over"); it does not, but neither does the recovery
 * expression ("between"); the expression could not be evaluated ("failed").
 */
export type Verdict = "holds" | "over" | "between" | "failed";

/** Members of a definition that say how many samples and how much time firing and clearing take. */
export type Patience = Pick<Alert, "samples" | "for" | "keep_firing_for" | "recovery" | "on_error">;

export interface AlertSample {
  readonly verdict: Verdict;
  /** Unix seconds. */
  readonly now: number;
  readonly alert: Patience;
  readonly expression: string;
  /** Seconds without a sample that reset a warm-up; absent = a gap never does. */
  readonly gapSec?: number | undefined;
  /** Called only when the condition holds. */
  readonly message: () => string;
  readonly newId: () => string;
}

export interface Advance {
  /** Undefined = no state to keep. */
  readonly streak: Streak | undefined;
  readonly change?: "fired" | "cleared";
}

/** Seconds of tolerance: minutes of servers arrive at any second. */
const JITTER_SEC = 5;

/**
 * Processes one sample of one alert on one server. Samples need not be strictly consecutive: a false one counts down by
 * one.
 */
export function advance(known: Streak | undefined, sample: AlertSample): Advance {
  const streak = known && isForgotten(known, sample) ? undefined : known;
  const verdict = readVerdict(sample);
  if (verdict === "holds") return fireIfDue(countUp(streak ?? newStreak(sample), sample), sample);
  if (!streak) return { streak };
  // Neither true nor recovered: a live alert stays as it is, a warm-up counts down.
  const stays = verdict === "ignored" || (verdict === "between" && streak.notified);
  return stays ? { streak: { ...streak, modified: sample.now } } : countDown(streak, sample);
}

/** True minutes that firing takes. */
export const samplesOf = ({ samples }: Pick<Alert, "samples">): number => samples ?? 1;

function fireIfDue(streak: Streak, { alert, now }: AlertSample): Advance {
  // Not "equal": if the definition now asks for fewer samples than were counted, it fires with the next one.
  const isDue = !streak.notified && streak.count >= samplesOf(alert) && hasLasted(streak.true_since, alert.for, now);
  return isDue ? { streak: { ...streak, notified: true }, change: "fired" } : { streak };
}

/** A failing expression counts as false, unless the definition ignores such samples. */
function readVerdict({ verdict, alert }: AlertSample): Exclude<Verdict, "failed"> | "ignored" {
  if (verdict !== "failed") return verdict;
  if (alert.on_error === "keep") return "ignored";
  return alert.recovery ? "between" : "over";
}

/** A gap between samples resets a warm-up. */
const isForgotten = ({ notified, modified }: Streak, { now, gapSec }: AlertSample): boolean =>
  !notified && gapSec !== undefined && now - modified > gapSec;

const hasLasted = (since: number | undefined, seconds: number | null | undefined, now: number): boolean =>
  now - (since ?? now) >= (seconds ?? 0) - JITTER_SEC;

function newStreak({ now, expression, newId }: AlertSample): Streak {
  return { invocation: newId(), date: now, exp: expression, message: "", count: 0, notified: false, modified: now };
}

/**
 * Caps a stored time at now. A time in the future means that the clock was set back; uncapped, it would delay the alert
 * until the clock has caught up.
 */
const notToCome = (time: number, now: number): number => Math.min(time, now);

function countUp(streak: Streak, { now, alert, message }: AlertSample): Streak {
  const count = Math.min(streak.count + 1, samplesOf(alert));
  return {
    ...streak,
    message: message(),
    count,
    modified: now,
    true_since: notToCome(streak.true_since ?? now, now),
    last_true: now,
  };
}

function countDown(streak: Streak, { now, alert }: AlertSample): Advance {
  const { true_since: _broken, ...rest } = streak;
  const count = Math.max(streak.count - 1, 0);
  const last_true = notToCome(streak.last_true ?? streak.modified, now);
  const next: Streak = { ...rest, count, modified: now, last_true };
  if (count > 0) return { streak: next };
  if (!streak.notified) return { streak: undefined };
  if (!hasLasted(last_true, alert.keep_firing_for, now)) return { streak: next };
  return { streak: undefined, change: "cleared" };
}
