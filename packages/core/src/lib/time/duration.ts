const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };

/**
 * Seconds of a text such as "10 years" or "1 week 2 days"; plain digits are seconds, unknown units count as 0
 * (docs/contract/records.md#times-durations-and-sizes).
 */
export function durationSeconds(text: string): number {
  if (/^\s*\d+\s*$/.test(text)) return Number(text);
  let seconds = 0;
  for (const [, amount, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z])[a-z]*/gi))
    seconds += Number(amount) * (UNITS[unit.toLowerCase()] ?? 0);
  return seconds;
}

const PAIR = /\d+(?:\.\d+)?\s*(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|years?|yrs?|y)/gi;

/** Whether a text is read as meant: `durationSeconds` would read "6 months" as minutes, and "ever" as nothing. */
export const isDurationText = (text: string): boolean =>
  /^\s*\d+\s*$/.test(text) || (/\d/.test(text) && /^[\s,]*$/.test(text.replaceAll(PAIR, "")));

/** Converts a duration sent as text, such as "26 hours", to seconds; any other value is returned unchanged. */
export function readDuration(value: unknown): unknown {
  if (typeof value !== "string" || !/\d/.test(value)) return value;
  const seconds = durationSeconds(value);
  return seconds > 0 || /^\s*0+\s*$/.test(value) ? seconds : value;
}
