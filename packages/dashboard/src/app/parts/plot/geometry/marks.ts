import { epochOf, offsetAt } from "../../../texts/zone.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Seconds between two marks of the time axis, up to two weeks. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[DAY, 2 * DAY, WEEK, 2 * WEEK],
];
/** Possible distances in months. */
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240];
/** The year from which months are counted; its months are a multiple of every step in `MONTHS`. */
const EPOCH_YEAR = 1900;
/** Seconds. Clock changes are no shorter, and zone offsets differ by at least half of it. */
const GRAIN = 1800;
/** Seconds from 1970-01-01, a Thursday, to the first Monday. */
const MONDAY = 4 * DAY;

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Most intervals between marks that fit. */
  readonly most: number;
}

/** Times in Unix seconds that are round by the clock and calendar of a zone. */
export function timeMarks({ from, to, most }: Stretch, zone: string): number[] {
  const step = STEPS.find((each) => (to - from) / each <= most);
  if (step === undefined) return monthMarks({ from, to, most }, zone);
  return step < DAY ? clockMarks(from, to, { step, zone }) : dayMarks(from, to, { step, zone });
}

interface By {
  readonly step: number;
  readonly zone: string;
}

function clockMarks(from: number, to: number, { step, zone }: By): number[] {
  const ahead = offsetAt(from, zone);
  const isSteady = ahead === offsetAt(to, zone);
  const grain = isSteady ? step : Math.min(step, GRAIN);
  const marks: number[] = [];
  for (let at = Math.ceil((from + ahead) / grain) * grain - ahead; at <= to; at += grain)
    if (isSteady || (at + offsetAt(at, zone)) % step === 0) marks.push(at);
  return marks;
}

function dayMarks(from: number, to: number, { step, zone }: By): number[] {
  const begin = step % WEEK === 0 ? MONDAY : 0;
  const marks: number[] = [];
  let wall = Math.ceil((from + offsetAt(from, zone) - begin) / step) * step + begin;
  for (let at = epochOf(wall, zone); at <= to; at = epochOf(wall, zone)) {
    marks.push(at);
    wall += step;
  }
  return marks;
}

function monthMarks({ from, to, most }: Stretch, zone: string): number[] {
  const months = (to - from) / (30 * DAY);
  const step = MONTHS.find((each) => months / each <= most) ?? Math.ceil(months / most);
  const first = new Date((from + offsetAt(from, zone)) * 1000);
  const marks: number[] = [];
  let month = Math.ceil(((first.getUTCFullYear() - EPOCH_YEAR) * 12 + first.getUTCMonth()) / step) * step;
  for (let at = 0; at <= to; month += step) {
    at = epochOf(Date.UTC(EPOCH_YEAR, month) / 1000, zone);
    if (at >= from && at <= to) marks.push(at);
  }
  return marks;
}

interface Room {
  /** Most steps that fit. */
  readonly most: number;
  readonly isWhole?: boolean;
}

/**
 * Round values within a range, only whole ones with `isWhole`. Tries smaller steps while there are fewer than two values: one
 * alone would not show the scale.
 */
export function valueMarks(low: number, high: number, { most, isWhole = false }: Room): number[] {
  const least = Math.max((high - low) / most, isWhole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10]
    .map((each) => each * power)
    .find((each) => each >= least * 0.999 && !(isWhole && each % 1)) as number;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  if (count < 2 && most < 16) return valueMarks(low, high, { most: most * 2, isWhole });
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}
