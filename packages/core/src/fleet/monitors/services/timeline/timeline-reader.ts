import type { ReadTx } from "../../../../ports/storage/storage.ts";
import type { Bucket, System } from "../../model.ts";
import { foldPoints, INTERVALS } from "../../rules/timeline/timeline-merge.ts";

/** Buckets of a list; both ends are inclusive. */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

/** The timelines of one server as callers see them, including points that are not aggregated yet. */
export interface TimelineReader {
  /** Oldest and newest bucket of a list; undefined when it is empty. */
  extent(system: System): Promise<Extent | undefined>;
  /** Points with `from` ≤ epoch_div < `to`, oldest first. */
  points(system: System, from: number, to: number): Promise<Bucket[]>;
}

export function timelineReader({ timeline }: Pick<ReadTx, "timeline">, server: string): TimelineReader {
  let known: Promise<Extent | undefined> | undefined;
  const minutes = (): Promise<Extent | undefined> => {
    known ??= timeline.bounds({ server, system: "hourly" });
    return known;
  };
  const stored = (system: System, from: number, to: number): Promise<Bucket[]> =>
    timeline.range({ server, system }, { from, to, limit: Math.max(0, to - from) });

  /** The newest bucket of a list, aggregated from finer lists: while it is open, it is not stored. */
  const openPoint = async (system: "monthly" | "yearly", bucket: number): Promise<Bucket | undefined> => {
    const newest = await minutes();
    if (!newest) return undefined;
    const hour = Math.floor(newest.last / MINUTES);
    const bucketHours = INTERVALS[system] / INTERVALS.monthly;
    if (Math.floor(hour / bucketHours) !== bucket) return undefined;
    const closed = system === "yearly" ? await stored("monthly", bucket * bucketHours, hour) : [];
    const open = await stored("hourly", hour * MINUTES, newest.last + 1);
    return foldPoints([...closed, ...open], system)[0];
  };

  return {
    async extent(system) {
      const newest = await minutes();
      if (system === "hourly" || !newest) return newest ?? timeline.bounds({ server, system });
      const ratio = INTERVALS[system] / INTERVALS.hourly;
      const seen = { first: Math.floor(newest.first / ratio), last: Math.floor(newest.last / ratio) };
      const summed = system === "daily" ? undefined : await timeline.bounds({ server, system });
      return summed ? { first: Math.min(seen.first, summed.first), last: Math.max(seen.last, summed.last) } : seen;
    },
    async points(system, from, to) {
      if (system === "hourly") return stored(system, from, to);
      if (system === "daily") return foldPoints(await stored("hourly", from * PAIR, to * PAIR), system);
      const newest = await minutes();
      const last = newest && Math.floor((newest.last * INTERVALS.hourly) / INTERVALS[system]);
      const points = await stored(system, from, to);
      const open = last !== undefined && from <= last && last < to ? await openPoint(system, last) : undefined;
      // A bucket that was stored before it was over lacks the later minutes.
      return open ? [...points.filter(({ epoch_div }) => epoch_div < open.epoch_div), open] : points;
    },
  };
}

const MINUTES = INTERVALS.monthly / INTERVALS.hourly;
const PAIR = INTERVALS.daily / INTERVALS.hourly;
