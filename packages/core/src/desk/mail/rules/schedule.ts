/** "04:30"; undefined for a text that is no time of day. */
export function timeOfDay(text: string): string | undefined {
  const [, hour = "", minute = ""] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(text) ?? [];
  return hour === "" ? undefined : `${hour.padStart(2, "0")}:${minute}`;
}

/** Day and time of a wall clock, "2026-11-21" and "04:30"; both sort as text. */
export function dayAndTime(wall: number): { readonly day: string; readonly time: string } {
  const [day = "", time = ""] = new Date(wall * 1000).toISOString().split("T");
  return { day, time: time.slice(0, 5) };
}

/**
 * True when the work of the local day is to be done: its time has come, on the clock that shows it first, and it was
 * not done today. A time that clocks jump over comes with the jump; one that comes twice finds the day done.
 */
export const isDayDue = (
  now: { readonly day: string; readonly time: string },
  schedule: string,
  lastDay: string | undefined,
): boolean => now.time >= schedule && (lastDay === undefined || now.day > lastDay);
