import { type Calendar, hasShown } from "./calendar.ts";

const DAY = 86_400;

/**
 * The last time at or before `now` when clocks in the zone showed `mark` ("04:00"), as wall time in Unix seconds as if it were
 * UTC. It identifies one day's maintenance: if two calls return different values, maintenance is due in between. A mark that
 * occurs twice because clocks go back counts the first time.
 */
export function lastMark(now: number, mark: string, { calendar, zone }: { calendar: Calendar; zone: string }): number {
  const [hours = 0, minutes = 0] = mark.split(":").map(Number);
  const minute = Math.floor(now / 60) * 60;
  const today = Math.floor(calendar.wallOf(minute, zone) / DAY) * DAY + hours * 3600 + minutes * 60;
  return hasShown(calendar, today, minute, zone) ? today : today - DAY;
}
