import { createCalendar, OWN_ZONE } from "./calendar.ts";

/** The day of a time of the wall, which is written as if it were UTC, in Unix seconds: "2026-11-21". */
export const dayOfWall = (wall: number): string => new Date(wall * 1000).toISOString().slice(0, 10);

/**
 * The local days of times in Unix seconds: "2026-11-21"; without a zone the machine's own count. Asked for at every
 * start and end of a job, and days change between minutes. The zone may change while they are asked for.
 */
export function createDays(config: { readonly tz?: string | undefined }): (time: number) => string {
  const calendar = createCalendar();
  let [asked, zone, day] = [Number.NaN, "", ""];
  return (time) => {
    const minute = Math.floor(time / 60);
    const { tz = OWN_ZONE } = config;
    if (minute === asked && tz === zone) return day;
    const wall = calendar.wallOf(minute * 60, tz);
    [asked, zone, day] = [minute, tz, dayOfWall(wall)];
    return day;
  };
}
