import { type Calendar, partsOf } from "../../lib/time/calendar.ts";

const HOUR = 3600;
const DAY = 86_400;
/** Unix seconds of the last instant that dates can represent. */
const MAX_TIME = 8.64e12;

/** Unix seconds; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A date in a query (docs/contract/search.md#times, docs/contract/search.md#days). */
export interface Moment {
  /** The hour or day that comparisons and ranges use. */
  readonly at: Span;
  /** The hour, day, month or year that equality means. */
  readonly whole: Span;
}

export interface DateContext {
  /** Unix seconds. */
  readonly now: number;
  readonly calendar: Calendar;
  /** IANA name. */
  readonly zone: string;
}

/** Parses a date of a query; undefined for any other text. */
export function readDate(text: string, unit: "hour" | "day", context: DateContext): Moment | undefined {
  const word = text.trim().toLowerCase();
  const instant = word === "now" ? context.now : instantOf(word);
  if (instant !== undefined) {
    const at = unit === "hour" ? hourAt(instant, context) : daysOf(dayOn(instant, context), context);
    return { at, whole: at };
  }
  const period = periodOf(word, context);
  if (!period) return undefined;
  const whole = daysOf(period, context);
  const at = unit === "hour" ? { from: whole.from, to: whole.from + HOUR } : daysOf(dayFrom(period.from), context);
  return { at, whole };
}

const instantOf = (word: string): number | undefined =>
  /^\d{5,}$/.test(word) && Number(word) <= MAX_TIME ? Number(word) : undefined;

/** A period of whole days in local time, expressed as if it were UTC. */
function periodOf(word: string, context: DateContext): Span | undefined {
  if (word === "today") return dayOn(context.now, context);
  if (word === "yesterday") return dayFrom(dayOn(context.now, context).from - DAY);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(word);
  if (american) return dayOf(american[3], american[1], american[2]);
  const [, year, month, day] = /^(\d{4})(?:\D+(\d{1,2})(?:\D+(\d{1,2}))?)?$/.exec(word) ?? [];
  if (year === undefined) return undefined;
  if (day !== undefined) return dayOf(year, month, day);
  if (month === undefined) return { from: utc(Number(year), 1), to: utc(Number(year) + 1, 1) };
  const number = Number(month);
  if (number < 1 || number > 12) return undefined;
  return { from: utc(Number(year), number), to: utc(Number(year), number + 1) };
}

const dayFrom = (from: number): Span => ({ from, to: from + DAY });

function dayOf(year = "", month = "", day = ""): Span | undefined {
  const start = utc(Number(year), Number(month), Number(day));
  const parts = partsOf(start);
  // Rejects 30 February, which would silently become a day of March.
  return parts.month === Number(month) && parts.day === Number(day) ? dayFrom(start) : undefined;
}

/** Years below 100 are taken literally, not as 19xx. */
function utc(year: number, month: number, day = 1): number {
  return new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(year, month - 1, day) / 1000;
}

const wallAt = (time: number, { calendar, zone }: DateContext): number =>
  calendar.wallOf(Math.floor(time / 60) * 60, zone);

/** The local day at an instant. */
const dayOn = (time: number, context: DateContext): Span => dayFrom(Math.floor(wallAt(time, context) / DAY) * DAY);

const daysOf = ({ from, to }: Span, context: DateContext): Span => ({
  from: midnight(from, context),
  to: midnight(to, context),
});

/** The first instant of this local day; clocks may skip midnight itself. */
function midnight(wall: number, { calendar, zone }: DateContext): number {
  const offsets = [-DAY, 0, DAY].map((shift) => calendar.wallOf(wall + shift, zone) - (wall + shift));
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  return candidates.find((instant) => calendar.wallOf(instant, zone) >= wall) ?? wall;
}

/** Local hours: in zones with a half-hour offset they start in the middle of a UTC hour. */
function hourAt(time: number, context: DateContext): Span {
  const from = Math.floor(time / 60) * 60 - (wallAt(time, context) % HOUR);
  return { from, to: from + HOUR };
}
