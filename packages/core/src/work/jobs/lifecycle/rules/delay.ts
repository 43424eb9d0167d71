import { hasPassed } from "../../../../lib/time/has-passed.ts";
import type { ActiveJob } from "../../model.ts";

/** Sources whose jobs wait for seconds that were asked for, and not for a time of the day. */
const SECONDS: ReadonlySet<unknown> = new Set(["action", "alert", "workflow"]);

/**
 * Whether the time of a delayed job is still to come. Seconds that were asked for are over too once the clock was set back by
 * as many: a new attempt would wait until the clock is there again (docs/decisions/work.md#jobs).
 */
export function isWaiting({ job: { source, state, until = 0 }, launched }: ActiveJob, now: number): boolean {
  const isSpan = state === "retry_delay" || SECONDS.has(source);
  return until > now && !(isSpan && launched > now && hasPassed(launched, until - launched, now));
}
