/** Due time of a ticket as callers write it (docs/contract/tickets.md#due). */
export type Due =
  | { readonly kind: "never" }
  /** Unix seconds. */
  | { readonly kind: "at"; readonly time: number }
  /** Seconds from now. */
  | { readonly kind: "in"; readonly seconds: number }
  /** "2026-05-20", a day in local time. */
  | { readonly kind: "day"; readonly day: string };

/** Unix seconds of 1980: smaller numbers are seconds from now, as nothing was due before then. */
const FIRST_TIME = 315_360_000;
/** Unix seconds of the last instant that `Date` can represent. */
const LAST_TIME = 8.64e12;
const DAY = 86_400;
/** Seconds of a unit, by its first letter; `mo…` is a month. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: DAY,
  w: 7 * DAY,
  mo: 30 * DAY,
  y: 365 * DAY,
};
const PART =
  /(\d+(?:\.\d+)?)\s*(s(?:ecs?|econds?)?|mo(?:s|nths?)?|m(?:ins?|inutes?)?|h(?:rs?|ours?)?|d(?:ays?)?|w(?:ks?|eeks?)?|y(?:rs?|ears?)?)(?![a-z])[\s,]*/iy;

/** Undefined for a value that cannot be read. */
export function readDue(value: unknown): Due | undefined {
  if (!value) return { kind: "never" };
  if (typeof value === "number") return ofNumber(value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text === "") return { kind: "never" };
  if (/^\d+$/.test(text)) return ofNumber(Number(text));
  return ofDay(text) ?? ofDelta(text);
}

function ofNumber(value: number): Due | undefined {
  if (!Number.isFinite(value) || value < 0 || value > LAST_TIME) return undefined;
  const whole = Math.floor(value);
  if (value === 0) return { kind: "never" };
  return whole >= FIRST_TIME ? { kind: "at", time: whole } : { kind: "in", seconds: whole };
}

function ofDay(text: string): Due | undefined {
  const [, year = "", month = "", day = ""] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // 30 February would silently become a day of March.
  if (year === "" || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  return { kind: "day", day: `${year}-${month}-${day}` };
}

function ofDelta(text: string): Due | undefined {
  let seconds = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const [, amount = "", unit = ""] = PART.exec(text) ?? [];
    if (unit === "") return undefined;
    const word = unit.toLowerCase();
    seconds += Number(amount) * (UNITS[word.startsWith("mo") ? "mo" : (word[0] ?? "")] ?? 0);
  }
  if (seconds > LAST_TIME / 2) return undefined;
  return seconds === 0 ? { kind: "never" } : { kind: "in", seconds };
}
