import type { Bucket, System } from "../../model.ts";

/** Seconds per bucket (docs/contract/monitors.md#rows). */
export const INTERVALS: Readonly<Record<System, number>> = { hourly: 60, daily: 120, monthly: 3600, yearly: 43_200 };

/** The contribution of one minute to a bucket. */
export interface TimelineSample {
  /** Unix seconds. */
  readonly date: number;
  readonly monitors: Readonly<Record<string, number>>;
  readonly deltas: Readonly<Record<string, number>>;
  readonly alerts: Readonly<Record<string, true>>;
}

/** Turns a sample into a point of the minute list. */
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

/** Number of the bucket that a point falls into, in the given list. */
export const bucketOf = (point: Bucket, system: System): number => Math.floor(point.date / INTERVALS[system]);

/** Turns a point into a bucket of a coarser list that holds this point only. */
export function widenPoint(point: Bucket, system: System): Bucket {
  const bucket = bucketOf(point, system);
  return { ...point, epoch_div: bucket, date: bucket * INTERVALS[system] };
}

/**
 * Merges two points: adds sums and unites alerts (docs/contract/monitors.md#buckets). Associative, so the grouping of
 * minutes does not matter. The result has the time of `left`.
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

/** Folds points (oldest first) into buckets of a coarser list. */
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
    // A monitor may be named like a member that every object inherits.
    added[id] = typeof before === "number" ? before + (right[id] ?? 0) : (right[id] ?? 0);
  }
  return added;
}

const sizeOf = (record: object): number => Object.keys(record).length;

/**
 * Number of samples per monitor where it differs from the bucket's, so that a monitor which was added or disabled
 * within the bucket is averaged over its own samples.
 */
function mergeCounts(left: Bucket, right: Bucket, totals: Sums): Record<string, number> | undefined {
  const size = sizeOf(totals);
  // Usual case: both have the same monitors.
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
