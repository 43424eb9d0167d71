import type { Bucket, System, TimelineColumns } from "../../model.ts";
import { INTERVALS, samplesOf } from "./timeline-merge.ts";

/** A point as callers get it: the stored members, `epoch`, and one average per monitor. */
export type TimelineRow = Readonly<Record<string, unknown>>;

/** What averaging needs to know about a monitor. */
export interface RowMonitor {
  readonly delta: boolean;
  readonly whole: boolean;
}

export interface RowRange {
  readonly system: System;
  /** First bucket. */
  readonly from: number;
  /** Bucket after the last one. */
  readonly to: number;
}

const ALIASES: Readonly<Record<string, System>> = {
  hourly: "hourly",
  daily: "daily",
  monthly: "monthly",
  yearly: "yearly",
  minute: "hourly",
  hour: "monthly",
  day: "yearly",
};

/** Resolves the name of a list, or the spacing of its points (docs/contract/monitors.md#rows). */
export const systemNamed = (name: string): System | undefined =>
  Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;

/** Rows of consecutive buckets, oldest first. A bucket without samples gets a row with only its number and epoch. */
export function rowsOf(
  points: readonly Bucket[],
  { system, from, to }: RowRange,
  monitors: ReadonlyMap<string, RowMonitor>,
): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let next = 0;
  for (let bucket = from; bucket < to; bucket++) {
    const point = points[next];
    const epoch = bucket * INTERVALS[system];
    // Charts of older clients recognise a gap by the missing date.
    if (point?.epoch_div !== bucket) rows.push({ epoch_div: bucket, epoch });
    else {
      rows.push(rowOf(point, epoch, monitors));
      next += 1;
    }
  }
  return rows;
}

/** Stored members come last, so that a monitor of an older version cannot overwrite them. */
function rowOf(point: Bucket, epoch: number, monitors: ReadonlyMap<string, RowMonitor>): TimelineRow {
  const { totals, deltas, alerts, counts } = point;
  const row: Record<string, unknown> = { ...totals };
  for (const id in totals) row[id] = averageOf(point, id, monitors.get(id));
  row["epoch_div"] = point.epoch_div;
  row["date"] = point.date;
  row["count"] = point.count;
  row["totals"] = totals;
  if (deltas) row["deltas"] = deltas;
  if (alerts) row["alerts"] = alerts;
  if (counts) row["counts"] = counts;
  row["epoch"] = epoch;
  return row;
}

/** A monitor's average in a bucket; for a counter the average of its deltas. */
function averageOf(point: Bucket, id: string, monitor: RowMonitor | undefined): number {
  const sum = monitor?.delta ? (point.deltas?.[id] ?? 0) : (point.totals[id] ?? 0);
  const value = sum / Math.max(1, point.counts ? samplesOf(point, id) : point.count);
  return monitor?.whole ? Math.floor(value) : value;
}

/** The same buckets as `rowsOf`, as columns, for the wanted monitors or all. */
export function columnsOf(
  points: readonly Bucket[],
  { system, from, to }: RowRange,
  { monitors, wanted }: { readonly monitors: ReadonlyMap<string, RowMonitor>; readonly wanted?: ReadonlySet<string> },
): TimelineColumns {
  const columns = new Map<string, (number | null)[]>();
  const begin = (id: string): (number | null)[] => {
    const column = new Array<number | null>(to - from).fill(null);
    columns.set(id, column);
    return column;
  };
  for (const point of points)
    for (const id in point.totals) {
      if (wanted && !wanted.has(id)) continue;
      const column = columns.get(id) ?? begin(id);
      column[point.epoch_div - from] = shortened(averageOf(point, id, monitors.get(id)));
    }
  const step = INTERVALS[system];
  return { date: from * step, step, length: to - from, monitors: Object.fromEntries(columns) };
}

/**
 * Rounds to five decimals: averages may have fifteen digits, but readings at most five decimals. Very small and very
 * large values keep all digits.
 */
const shortened = (value: number): number =>
  Math.abs(value) < 0.01 || Math.abs(value) > 1e9 ? value : Math.round(value * 1e5) / 1e5;

/** Buckets of the newest `limit` rows; undefined when there are none. */
export function latestRange(
  system: System,
  bounds: { first: number; last: number } | undefined,
  limit: number,
): RowRange | undefined {
  if (!bounds || limit === 0) return undefined;
  return { system, from: Math.max(bounds.first, bounds.last - limit + 1), to: bounds.last + 1 };
}

/** Unix seconds; beyond it no date exists. */
const MAX_DATE = 8_640_000_000_000;

/** Buckets of `limit` rows from a time on; rows before the first stored bucket count towards the limit. */
export function historicalRange(
  system: System,
  bounds: { first: number; last: number } | undefined,
  { date, limit }: { date: number; limit: number },
): RowRange | undefined {
  if (!bounds || limit === 0 || date > MAX_DATE) return undefined;
  const start = Math.floor(date / INTERVALS[system]);
  const from = Math.max(start, bounds.first);
  const to = Math.min(start + limit, bounds.last + 1);
  return from < to ? { system, from, to } : undefined;
}
