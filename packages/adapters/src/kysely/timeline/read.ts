import type { ReadTimeline } from "@signalbox/core/storage";
import { unpackPoint } from "./format/rows.ts";
import { readJournal } from "./journal.ts";
import { isBeyondPacked, mergePoints, readPacked } from "./packed.ts";
import { clampBucket, cleanKey, EVERYTHING, findSeries, type Series, type TimelineSession } from "./series.ts";

export function readTimeline(on: TimelineSession): ReadTimeline {
  return {
    async latest(key, limit) {
      const series = await findSeries(on, cleanKey(key));
      if (!series || !(limit > 0)) return [];
      const rows = await readJournal(on, series, EVERYTHING, -limit);
      const [oldest] = rows;
      const isEnough = rows.length >= limit && oldest && (await isBeyondPacked(on, series.number, oldest.bucket));
      const packed = isEnough ? [] : await readPacked(on, series.number, EVERYTHING, -limit);
      return mergePoints(packed, rows).slice(-limit).map(unpackPoint);
    },
    async range(key, bounds) {
      const series = await findSeries(on, cleanKey(key));
      const span = { from: clampBucket(bounds.from), to: clampBucket(bounds.to) - 1 };
      if (!series || !(bounds.limit > 0) || span.from > span.to) return [];
      const packed = await readPacked(on, series.number, span, bounds.limit);
      const rows = await readJournal(on, series, span, bounds.limit);
      return mergePoints(packed, rows).slice(0, bounds.limit).map(unpackPoint);
    },
    async bounds(key) {
      const series = await findSeries(on, cleanKey(key));
      if (!series) return undefined;
      const [first, last] = [await firstBucket(on, series), await lastBucket(on, series)];
      return first === undefined || last === undefined ? undefined : { first, last };
    },
  };
}

async function firstBucket(on: TimelineSession, series: Series): Promise<number | undefined> {
  const [packed] = await readPacked(on, series.number, EVERYTHING, 1);
  // Usually the journal begins later and need not be read.
  if (packed && series.journal.from > packed.bucket) return packed.bucket;
  const [row] = await readJournal(on, series, EVERYTHING, 1);
  return packed && row ? Math.min(packed.bucket, row.bucket) : (packed ?? row)?.bucket;
}

async function lastBucket(on: TimelineSession, series: Series): Promise<number | undefined> {
  const [row] = await readJournal(on, series, EVERYTHING, -1);
  if (row && (await isBeyondPacked(on, series.number, row.bucket))) return row.bucket;
  const [packed] = await readPacked(on, series.number, EVERYTHING, -1);
  return packed && row ? Math.max(packed.bucket, row.bucket) : (packed ?? row)?.bucket;
}
