/** Normalizes a time of day to "04:30"; undefined for any other text. */
export function timeOfDay(text: string): string | undefined {
  const [, hour = "", minute = ""] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(text) ?? [];
  return hour === "" ? undefined : `${hour.padStart(2, "0")}:${minute}`;
}

/** Day and time of wall-clock seconds, like "2026-11-21" and "04:30"; both can be compared as texts. */
export function dayAndTime(wall: number): { readonly day: string; readonly time: string } {
  const [day = "", time = ""] = new Date(wall * 1000).toISOString().split("T");
  return { day, time: time.slice(0, 5) };
}

/**
 * True if today's work is due: its time of day has come, and it was not done today. A time that a clock change skips counts as
 * reached at the change; when a time occurs twice, the work was done the first time.
 */
export const isDayDue = (
  now: { readonly day: string; readonly time: string },
  schedule: string,
  lastDay: string | undefined,
): boolean => now.time >= schedule && (lastDay === undefined || now.day > lastDay);
