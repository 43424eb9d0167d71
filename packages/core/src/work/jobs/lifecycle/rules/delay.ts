import { hasPassed } from "../../../../lib/time/has-passed.ts";
import type { ActiveJob } from "../../model.ts";

/** Sources whose delay is a number of seconds, not a time of day. */
const SECONDS: ReadonlySet<unknown> = new Set(["action", "alert", "workflow"]);

/**
 * Whether a delayed job must still wait. A delay in seconds also ends when the clock was set back by at least as much: a retry
 * would otherwise wait until the clock catches up (docs/decisions/work.md#jobs).
 */
export function isWaiting({ job: { source, state, until = 0 }, launched }: ActiveJob, now: number): boolean {
  const isSpan = state === "retry_delay" || SECONDS.has(source);
  return until > now && !(isSpan && launched > now && hasPassed(launched, until - launched, now));
}
