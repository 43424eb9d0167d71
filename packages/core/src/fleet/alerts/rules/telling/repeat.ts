import type { Alert, Invocation } from "../../model.ts";

/**
 * Seconds. Repetitions are checked once a minute, while firings happen at any second, so they are due at the nearest
 * minute.
 */
const HALF_A_MINUTE = 30;

/** True when the actions of a firing are due again; `now` is Unix seconds. */
export function isRepeatDue(
  invocation: Pick<Invocation, "active" | "acknowledged" | "noticed" | "date" | "untold">,
  alert: Pick<Alert, "repeat_minutes" | "enabled"> | undefined,
  now: number,
): boolean {
  const { active, acknowledged, noticed, date, untold } = invocation;
  const minutes = alert?.repeat_minutes ?? 0;
  // A notification that was never sent cannot be repeated; it is sent once nothing holds it back.
  if (!active || acknowledged || untold || !alert?.enabled || minutes <= 0) return false;
  const last = noticed ?? date;
  // A time in the future means that the clock was set back; no repetition would be due until it has caught up.
  return last - now > minutes * 60 || now - last >= minutes * 60 - HALF_A_MINUTE;
}
