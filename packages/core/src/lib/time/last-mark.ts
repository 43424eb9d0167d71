import { type Calendar, hasShown } from "./calendar.ts";

const DAY = 86_400;

/**
 * The last time at or before `now` that the wall of the zone showed `mark` ("04:00"), written as if it were UTC. It is
 * a name for one day's maintenance: two different answers mean that it is due in between. A mark that comes twice, as clocks
 * go back, counts at its first pass.
 */
export function lastMark(now: number, mark: string, { calendar, zone }: { calendar: Calendar; zone: string }): number {
  const [hours = 0, minutes = 0] = mark.split(":").map(Number);
  const minute = Math.floor(now / 60) * 60;
  const today = Math.floor(calendar.wallOf(minute, zone) / DAY) * DAY + hours * 3600 + minutes * 60;
  return hasShown(calendar, today, minute, zone) ? today : today - DAY;
}
