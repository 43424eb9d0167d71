import type { System } from "../model.ts";
import { INTERVALS } from "./timeline-merge.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 };

/**
 * Seconds of a text such as "10 years" or "1 week 2 days"; plain digits are seconds, unknown units count 0
 * (docs/contract/records.md#times-durations-and-sizes).
 */
export function durationSeconds(text: string): number {
  if (/^\s*\d+\s*$/.test(text)) return Number(text);
  let seconds = 0;
  for (const [, amount, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z])[a-z]*/gi))
    seconds += Number(amount) * (UNITS[unit.toLowerCase()] ?? 0);
  return seconds;
}

/** The oldest bucket of a list that is kept; undefined = all of them, for a text that names no time. */
export function oldestKept(system: System, now: number, expiration: string): number | undefined {
  const seconds = durationSeconds(expiration);
  return seconds > 0 ? Math.floor((now - seconds) / INTERVALS[system]) : undefined;
}
