import { secondsOf } from "../../../../fleet/silences/rules/in-force.ts";
import { type Calendar, hasShown, partsOf } from "../../../../lib/time/calendar.ts";
import type { RouteDigest } from "../../model.ts";

const MINUTE = 60;
const DAY = 86_400;
/** Days after which a weekly digest time has certainly occurred. */
const MAX_DAYS = 8;

/**
 * Whether a time of a digest has passed since a notice, by wall-clock time. When clocks change, a skipped time counts from the
 * next minute that exists, and a repeated time at its first pass. Times are Unix seconds.
 */
export function isDigestDue(
  { at, weekdays, timezone }: RouteDigest,
  { since, now }: { readonly since: number; readonly now: number },
  { calendar, zone }: { readonly calendar: Calendar; readonly zone: string },
): boolean {
  const [before, minute] = [since, now].map((time) => Math.floor(time / MINUTE) * MINUTE) as [number, number];
  const isShown = (wall: number, at: number): boolean => hasShown(calendar, wall, at, timezone || zone);
  const today = Math.floor(calendar.wallOf(minute, timezone || zone) / DAY) * DAY;
  for (let ago = 0; ago < MAX_DAYS; ago++) {
    const day = today - ago * DAY;
    if (weekdays && weekdays.length > 0 && !weekdays.includes(partsOf(day).weekday)) continue;
    const times = at.map((text) => day + secondsOf(text));
    if (times.some((time) => isShown(time, minute) && !isShown(time, before))) return true;
  }
  return false;
}
