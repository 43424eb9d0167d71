import { type Calendar, isRepeated } from "./calendar.ts";

const DAY = 86_400;
/** Minutes. */
const LONGEST_REPEATED = 180;

/**
 * The last time at or before `now` that the wall of the zone showed `mark` ("04:00"), written as if it were UTC. It is
 * a name for one day's maintenance: two different answers mean that it is due in between.
 */
export function lastMark(now: number, mark: string, { calendar, zone }: { calendar: Calendar; zone: string }): number {
  const [hours = 0, minutes = 0] = mark.split(":").map(Number);
  const wall = latestWall(Math.floor(now / 60) * 60, zone, calendar);
  const today = Math.floor(wall / DAY) * DAY + hours * 3600 + minutes * 60;
  return today <= wall ? today : today - DAY;
}

/** The latest time that the wall has shown: in an hour that comes twice, the end of it. */
function latestWall(minute: number, zone: string, calendar: Calendar): number {
  const back = isRepeated(calendar, minute, zone) ? LONGEST_REPEATED : 0;
  return Math.max(...Array.from({ length: back + 1 }, (_, ago) => calendar.wallOf(minute - ago * 60, zone)));
}
