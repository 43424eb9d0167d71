import { type Calendar, partsOf } from "../../events/rules/calendar.ts";

const HOUR = 3600;
const DAY = 86_400;
/** Unix seconds of the last instant that calendars know. */
const MAX_TIME = 8.64e12;

/** What a date in a query means, in Unix seconds (part 41 §6.2). */
export interface Moment {
  /** Start of the hour that comparisons and ranges use. */
  readonly hour: number;
  /** First second of the period that equality means. */
  readonly from: number;
  /** First second after it. */
  readonly to: number;
}

export interface DateContext {
  /** Unix seconds. */
  readonly now: number;
  readonly calendar: Calendar;
  /** IANA name. */
  readonly zone: string;
}

/** Reads a date of a query at hour precision; undefined for what is none. */
export function readMoment(text: string, context: DateContext): Moment | undefined {
  const word = text.trim().toLowerCase();
  if (word === "now") return hourAt(context.now, context);
  if (/^\d{5,}$/.test(word)) return Number(word) <= MAX_TIME ? hourAt(Number(word), context) : undefined;
  const period = periodOf(word, context);
  if (!period) return undefined;
  const [from, to] = [midnight(period[0], context), midnight(period[1], context)];
  return { hour: from, from, to };
}

/** First and first following day of a period, written as if the wall showed UTC. */
function periodOf(word: string, { now, calendar, zone }: DateContext): readonly [number, number] | undefined {
  if (word === "today" || word === "yesterday") {
    const wall = calendar.wallOf(Math.floor(now / 60) * 60, zone);
    const today = Math.floor(wall / DAY) * DAY;
    return word === "today" ? [today, today + DAY] : [today - DAY, today];
  }
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(word);
  if (american) return dayOf(american[3], american[1], american[2]);
  const [, year, month, day] = /^(\d{4})(?:\D+(\d{1,2})(?:\D+(\d{1,2}))?)?$/.exec(word) ?? [];
  if (year === undefined) return undefined;
  if (day !== undefined) return dayOf(year, month, day);
  if (month === undefined) return [utc(Number(year), 1), utc(Number(year) + 1, 1)];
  const number = Number(month);
  return number >= 1 && number <= 12 ? [utc(Number(year), number), utc(Number(year), number + 1)] : undefined;
}

function dayOf(year = "", month = "", day = ""): readonly [number, number] | undefined {
  const start = utc(Number(year), Number(month), Number(day));
  const parts = partsOf(start);
  // 30 February would silently be a day of March.
  return parts.month === Number(month) && parts.day === Number(day) ? [start, start + DAY] : undefined;
}

/** Years below 100 are meant as written. */
function utc(year: number, month: number, day = 1): number {
  return new Date(Date.UTC(2000, 0, 1)).setUTCFullYear(year, month - 1, day) / 1000;
}

/** The first instant at which the wall shows this day; clocks may skip midnight itself. */
function midnight(wall: number, { calendar, zone }: DateContext): number {
  const offsets = [-DAY, 0, DAY].map((shift) => calendar.wallOf(wall + shift, zone) - (wall + shift));
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  return candidates.find((instant) => calendar.wallOf(instant, zone) >= wall) ?? wall;
}

/** Hours of the wall: zones with half hours begin theirs in the middle of ours. */
function hourAt(time: number, { calendar, zone }: DateContext): Moment {
  const wall = calendar.wallOf(Math.floor(time / 60) * 60, zone);
  const hour = Math.floor(time / 60) * 60 - (wall % HOUR);
  return { hour, from: hour, to: hour + HOUR };
}
