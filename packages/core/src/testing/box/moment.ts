import type { Calendar } from "../../lib/time/calendar.ts";

/**
 * A time: Unix seconds, a `Date`, an ISO text with a zone (`2026-03-29T00:30:00Z`), or local time in the time zone of the box: a
 * date and time (`2026-03-29 02:30`), a date, or a time of day (`02:30`, `02:30:15`), which means its next occurrence.
 */
export type Moment = string | number | Date;

/** A length of time: the sum of its members. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

export interface WallClock {
  readonly calendar: Calendar;
  readonly zone: string;
}

const MINUTE = 60;
const DAY = 86_400;
/** Most seconds by which any zone differs from UTC. */
const MAX_OFFSET = 15 * 3600;

const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;
const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Converts a duration to seconds; throws `RangeError` for an invalid one. */
export function secondsOf({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): number {
  const total = days * DAY + hours * 3600 + minutes * MINUTE + seconds;
  if (!(Number.isFinite(total) && total >= 0)) throw new RangeError(`Not a length of time: ${total} seconds`);
  return total;
}

/** Converts a time to Unix seconds; `now` is Unix seconds. Throws `RangeError` for a text that is not a time. */
export function momentOf(moment: Moment, now: number, wall: WallClock): number {
  const seconds =
    typeof moment === "string" ? ofText(moment.trim(), now, wall) : Number(moment) / (isDate(moment) ? 1000 : 1);
  if (!Number.isFinite(seconds)) throw new RangeError(`Not a time: ${String(moment)}`);
  return seconds;
}

const isDate = (moment: Moment): boolean => moment instanceof Date;

function ofText(text: string, now: number, wall: WallClock): number {
  const time = TIME.exec(text);
  if (time) return nextTime(timeOfDay(time[1], time[2], time[3]), now, wall);
  const local = LOCAL.exec(text);
  if (!local) return Date.parse(text) / 1000;
  return ofWall(Date.parse(`${local[1]}T00:00:00Z`) / 1000 + timeOfDay(local[2], local[3], local[4]), wall);
}

/** Seconds since midnight; NaN for a time that no clock shows. */
function timeOfDay(hour = "0", minute = "0", second = "0"): number {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  return h < 24 && m < 60 && s < 60 ? h * 3600 + m * MINUTE + s : Number.NaN;
}

/** The first instant at which clocks show a local time, or jump over it. */
function ofWall(shown: number, { calendar, zone }: WallClock): number {
  if (Number.isNaN(shown)) return Number.NaN;
  const second = shown % MINUTE;
  const target = shown - second;
  for (let minute = target - MAX_OFFSET; minute <= target + MAX_OFFSET; minute += MINUTE) {
    const wall = calendar.wallOf(minute, zone);
    if (wall >= target) return wall === target ? minute + second : minute;
  }
  return Number.NaN;
}

/** The next time after now when clocks show a time of day, or jump over it. */
function nextTime(time: number, now: number, { calendar, zone }: WallClock): number {
  const second = time % MINUTE;
  const target = time - second;
  const first = Math.floor(now / MINUTE) * MINUTE;
  let before = calendar.wallOf(first - MINUTE, zone);
  for (let minute = first; minute <= first + 2 * DAY; minute += MINUTE) {
    const wall = calendar.wallOf(minute, zone);
    if (modulo(wall, DAY) === target && minute + second > now) return minute + second;
    const ahead = modulo(target - before, DAY);
    if (ahead > 0 && ahead < wall - before && minute > now) return minute;
    before = wall;
  }
  return Number.NaN;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
