import type { Bucket, System } from "../model.ts";

/** Seconds per bucket (part 20 §6). */
export const INTERVALS: Readonly<Record<System, number>> = { hourly: 60, daily: 120, monthly: 3600, yearly: 43_200 };

/** What one minute adds to a bucket. */
export interface TimelineSample {
  /** Unix seconds. */
  readonly date: number;
  readonly monitors: Readonly<Record<string, number>>;
  readonly deltas: Readonly<Record<string, number>>;
  readonly alerts: Readonly<Record<string, true>>;
}

export type Placement =
  | { readonly kind: "put"; readonly point: Bucket }
  /** The minute is there already. */
  | { readonly kind: "duplicate" }
  /** A newer bucket is there already. */
  | { readonly kind: "late" };

/** Where a sample goes in a list whose newest point is `last`. Only the minute list refuses a second sample per bucket. */
export function placeSample(last: Bucket | undefined, sample: TimelineSample, system: System): Placement {
  const interval = INTERVALS[system];
  const bucket = Math.floor(sample.date / interval);
  if (last && last.epoch_div > bucket) return { kind: "late" };
  if (last?.epoch_div !== bucket) return { kind: "put", point: newPoint(sample, bucket, interval) };
  return system === "hourly" ? { kind: "duplicate" } : { kind: "put", point: mergePoint(last, sample) };
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

function newPoint({ monitors, deltas, alerts }: TimelineSample, bucket: number, interval: number): Bucket {
  return {
    epoch_div: bucket,
    date: bucket * interval,
    count: 1,
    totals: { ...monitors },
    ...(isEmpty(alerts) ? {} : { alerts: { ...alerts } }),
    ...(isEmpty(deltas) ? {} : { deltas: { ...deltas } }),
  };
}

function mergePoint(last: Bucket, { monitors, deltas, alerts }: TimelineSample): Bucket {
  const { alerts: known, deltas: sums, counts: _counts, ...rest } = last;
  const fired = { ...known, ...alerts };
  const changes = addSums(sums ?? {}, deltas);
  const counts = mergeCounts(last, monitors);
  return {
    ...rest,
    count: last.count + 1,
    totals: addSums(last.totals, monitors),
    ...(isEmpty(fired) ? {} : { alerts: fired }),
    ...(isEmpty(changes) ? {} : { deltas: changes }),
    ...(isEmpty(counts) ? {} : { counts }),
  };
}

type Sums = Readonly<Record<string, number>>;

function addSums(sums: Sums, values: Sums): Record<string, number> {
  const added: Record<string, number> = { ...sums };
  for (const [id, value] of Object.entries(values)) added[id] = (added[id] ?? 0) + value;
  return added;
}

/** Samples per monitor where they differ from the bucket's: a monitor made or switched off mid-bucket is not diluted. */
function mergeCounts(last: Bucket, monitors: Sums): Record<string, number> {
  const counts: Record<string, number> = {};
  const ids = new Set([...Object.keys(last.totals), ...Object.keys(monitors)]);
  for (const id of ids) {
    const before = samplesOf(last, id);
    const after = before + (id in monitors ? 1 : 0);
    if (after !== last.count + 1) counts[id] = after;
  }
  return counts;
}

/** How many samples of a monitor are in a point. */
export function samplesOf(point: Bucket, id: string): number {
  return point.counts?.[id] ?? (id in point.totals ? point.count : 0);
}
