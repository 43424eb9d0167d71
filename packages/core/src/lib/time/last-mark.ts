import type { Calendar } from "./calendar.ts";

const DAY = 86_400;

/**
 * The last time at or before `now` that the wall of the zone showed `mark` ("04:00"), written as if it were UTC. It is
 * a name for one day's maintenance: two different answers mean that it is due in between.
 */
export function lastMark(now: number, mark: string, { calendar, zone }: { calendar: Calendar; zone: string }): number {
  const [hours = 0, minutes = 0] = mark.split(":").map(Number);
  const wall = calendar.wallOf(Math.floor(now / 60) * 60, zone);
  const today = Math.floor(wall / DAY) * DAY + hours * 3600 + minutes * 60;
  return today <= wall ? today : today - DAY;
}
