import type { ReadTimeline, SeriesKey, Timeline, TimelinePoint } from "../../ports/storage/timeline.ts";
import type { Draft, Drafts, Snapshot, View } from "./tables.ts";

/** Buckets that are pruned together when the oldest are removed. */
const SLOT = 60;

interface StoredPoint {
  readonly bucket: number;
  readonly point: TimelinePoint;
}

// JSON separates system and server unambiguously, whatever characters they hold.
const seriesName = ({ server, system }: SeriesKey): string => `timeline ${JSON.stringify([system, server])}`;
const isSeries = (name: string): boolean => name.startsWith("timeline ");
const parseSeries = (name: string): SeriesKey => {
  const [system, server] = JSON.parse(name.slice("timeline ".length));
  return { system, server };
};

/** A copy of a point, so that callers cannot change the stored one. */
const copyPoint = ({ totals, alerts, deltas, counts, ...rest }: TimelinePoint): TimelinePoint => ({
  ...rest,
  totals: { ...totals },
  ...(alerts ? { alerts: { ...alerts } } : {}),
  ...(deltas ? { deltas: { ...deltas } } : {}),
  ...(counts ? { counts: { ...counts } } : {}),
});

export function memoryReadTimeline(view: Snapshot["view"]): ReadTimeline {
  const sorted = (key: SeriesKey): StoredPoint[] =>
    [...(view(seriesName(key)) as View<StoredPoint>).values()].sort((a, b) => a.bucket - b.bucket);
  const parse = (stored: StoredPoint): TimelinePoint => copyPoint(stored.point);
  return {
    latest: async (key, limit) => (limit > 0 ? sorted(key).slice(-limit).map(parse) : []),
    range: async (key, { from, to, limit }) =>
      sorted(key)
        .filter(({ bucket }) => bucket >= from && bucket < to)
        .slice(0, limit)
        .map(parse),
    async bounds(key) {
      const points = sorted(key);
      const first = points[0];
      const last = points.at(-1);
      return first && last && { first: first.bucket, last: last.bucket };
    },
  };
}

export function memoryTimeline(drafts: Drafts): Timeline {
  const put = (key: SeriesKey, point: TimelinePoint): void => {
    const bucket = point.epoch_div;
    drafts.table<StoredPoint>(seriesName(key)).set(bucket, { bucket, point: copyPoint(point) });
  };
  return {
    ...memoryReadTimeline(drafts.table),
    put: async (key, point) => put(key, point),
    putMany: async (entries) => {
      for (const entry of entries) put(entry, entry.point);
    },
    // There is nothing to pack.
    tidy: async () => false,
    prune: async (system, below, limit) => {
      const end = Math.floor(below / SLOT) * SLOT;
      const due = seriesOf(drafts, (key) => key.system === system).flatMap((table) =>
        [...table.values()].filter(({ bucket }) => bucket < end).map(({ bucket }) => ({ table, bucket })),
      );
      for (const { table, bucket } of due.slice(0, limit)) table.delete(bucket);
      return due.length > limit;
    },
    async drop(server) {
      for (const table of seriesOf(drafts, (key) => key.server === server))
        for (const { bucket } of [...table.values()]) table.delete(bucket);
    },
  };
}

const seriesOf = (drafts: Drafts, isWanted: (key: SeriesKey) => boolean): Draft<StoredPoint>[] =>
  [...drafts.names()]
    .filter((name) => isSeries(name) && isWanted(parseSeries(name)))
    .map((name) => drafts.table<StoredPoint>(name));
