import type { Streak } from "../model.ts";

export interface AlertSample {
  readonly holds: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** Minutes until it fires, and until it clears. */
  readonly samples: number;
  readonly expression: string;
  /** Asked for when the condition holds. */
  readonly message: () => string;
  readonly newId: () => string;
}

export interface Advance {
  /** Undefined = nothing to remember. */
  readonly streak: Streak | undefined;
  readonly change?: "fired" | "cleared";
}

/** One sample of one alert on one server. Samples need not be strictly consecutive: false ones count down by one. */
export function advance(streak: Streak | undefined, sample: AlertSample): Advance {
  if (!streak && !sample.holds) return { streak: undefined };
  const next = sample.holds ? countUp(streak ?? newStreak(sample), sample) : countDown(streak, sample);
  if (next.count === 0) return next.notified ? { streak: undefined, change: "cleared" } : { streak: undefined };
  // Not "equal": a definition that asks for fewer samples than were counted fires with the next one.
  if (!next.notified && next.count >= sample.samples) return { streak: { ...next, notified: true }, change: "fired" };
  return { streak: next };
}

function newStreak({ now, expression, newId }: AlertSample): Streak {
  return { invocation: newId(), date: now, exp: expression, message: "", count: 0, notified: false, modified: now };
}

function countUp(streak: Streak, { now, samples, message }: AlertSample): Streak {
  return { ...streak, message: message(), count: Math.min(streak.count + 1, samples), modified: now };
}

function countDown(streak: Streak | undefined, sample: AlertSample): Streak {
  const known = streak ?? newStreak(sample);
  return { ...known, count: Math.max(known.count - 1, 0), modified: sample.now };
}
