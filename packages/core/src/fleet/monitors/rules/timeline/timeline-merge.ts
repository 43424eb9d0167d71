import type { Bucket, System } from "../../model.ts";

/** Seconds per bucket (docs/contract/monitors.md#rows). */
export const INTERVALS: Readonly<Record<System, number>> = { hourly: 60, daily: 120, monthly: 3600, yearly: 43_200 };

/** One minute's part of a bucket. */
export interface TimelineSample {
  /** Unix seconds. */
  readonly date: number;
  readonly monitors: Readonly<Record<string, number>>;
  readonly deltas: Readonly<Record<string, number>>;
  readonly alerts: Readonly<Record<string, true>>;
}

/** The point of the minute list that a sample makes. */
export function minutePoint({ date, monitors, deltas, alerts }: TimelineSample): Bucket {
  const bucket = Math.floor(date / INTERVALS.hourly);
  return {
    epoch_div: bucket,
    date: bucket * INTERVALS.hourly,
    count: 1,
    totals: monitors,
    ...(isEmpty(alerts) ? {} : { alerts }),
    ...(isEmpty(deltas) ? {} : { deltas }),
  };
}

/** Number of the bucket of a list that a point lies in. */
export const bucketOf = (point: Bucket, system: System): number => Math.floor(point.date / INTERVALS[system]);

/** A point as the only one of its bucket in a coarser list. */
export function widenPoint(point: Bucket, system: System): Bucket {
  const bucket = bucketOf(point, system);
  return { ...point, epoch_div: bucket, date: bucket * INTERVALS[system] };
}

/**
 * Both points in one: sums add up, alerts unite (docs/contract/monitors.md#buckets). Associative, so that it does not
 * matter how minutes are grouped; the place in time is `left`'s.
 */
export function mergeBuckets(left: Bucket, right: Bucket): Bucket {
  const count = left.count + right.count;
  const totals = addSums(left.totals, right.totals);
  const deltas = uniteMembers(left.deltas, right.deltas, addSums);
  const alerts = uniteMembers(left.alerts, right.alerts, (a, b) => ({ ...a, ...b }));
  const counts = mergeCounts(left, right, totals);
  return {
    epoch_div: left.epoch_div,
    date: left.date,
    count,
    totals,
    ...(alerts ? { alerts } : {}),
    ...(deltas ? { deltas } : {}),
    ...(counts ? { counts } : {}),
  };
}

/** Points, oldest first, as a coarser list shows them. */
export function foldPoints(points: readonly Bucket[], system: System): Bucket[] {
  const folded: Bucket[] = [];
  let open: Bucket | undefined;
  for (const point of points) {
    if (open && bucketOf(point, system) === open.epoch_div) {
      open = mergeBuckets(open, point);
      continue;
    }
    if (open) folded.push(open);
    open = widenPoint(point, system);
  }
  if (open) folded.push(open);
  return folded;
}

function isEmpty(record: object): boolean {
  for (const _key in record) return false;
  return true;
}

type Sums = Readonly<Record<string, number>>;

function uniteMembers<T extends object>(left: T | undefined, right: T | undefined, unite: (a: T, b: T) => T) {
  return left && right ? unite(left, right) : (left ?? right);
}

function addSums(left: Sums, right: Sums): Sums {
  const added: Record<string, number> = { ...left };
  for (const id in right) {
    const before: unknown = left[id];
    // A monitor may have the name of a member that every object inherits.
    added[id] = typeof before === "number" ? before + (right[id] ?? 0) : (right[id] ?? 0);
  }
  return added;
}

const sizeOf = (record: object): number => Object.keys(record).length;

/** Samples per monitor where they differ from the bucket's: a monitor made or switched off mid-bucket is not diluted. */
function mergeCounts(left: Bucket, right: Bucket, totals: Sums): Record<string, number> | undefined {
  const size = sizeOf(totals);
  // Both have all monitors, as mostly.
  if (!left.counts && !right.counts && sizeOf(left.totals) === size && sizeOf(right.totals) === size) return undefined;
  const count = left.count + right.count;
  const counts: Record<string, number> = {};
  for (const id in totals) {
    const samples = samplesOf(left, id) + samplesOf(right, id);
    if (samples !== count) counts[id] = samples;
  }
  return isEmpty(counts) ? undefined : counts;
}

/** Number of samples of a monitor in a point. */
export function samplesOf(point: Bucket, id: string): number {
  if (point.counts && Object.hasOwn(point.counts, id)) return point.counts[id] ?? 0;
  return Object.hasOwn(point.totals, id) ? point.count : 0;
}
