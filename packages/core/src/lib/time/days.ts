import { createCalendar, OWN_ZONE } from "./calendar.ts";

/** The day of a wall time, which is given in Unix seconds as if it were UTC: "2026-11-21". */
export const dayOfWall = (wall: number): string => new Date(wall * 1000).toISOString().slice(0, 10);

/**
 * Converts Unix seconds to local days: "2026-11-21"; without a zone, the machine's own applies. The result is cached per minute,
 * because every start and end of a job needs it, and days change between minutes. The zone may change between calls.
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
