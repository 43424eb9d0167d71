import type { Alert, Invocation } from "../model.ts";

/** Looked at once a minute, while firings come at any second of it: the nearest minute is the right one. Seconds. */
const HALF_A_MINUTE = 30;

/** Whether the actions of a firing are due again; `now` is Unix seconds. */
export function isRepeatDue(
  { active, acknowledged, noticed, date }: Pick<Invocation, "active" | "acknowledged" | "noticed" | "date">,
  alert: Pick<Alert, "repeat_minutes" | "enabled"> | undefined,
  now: number,
): boolean {
  const minutes = alert?.repeat_minutes ?? 0;
  if (!active || acknowledged || !alert?.enabled || minutes <= 0) return false;
  return now - (noticed ?? date) >= minutes * 60 - HALF_A_MINUTE;
}
