import type { ReadTimeline, SeriesKey, Timeline, TimelinePoint } from "../ports/timeline.ts";
import { compareText } from "./match.ts";
import type { Drafts, Snapshot, View } from "./tables.ts";

interface StoredPoint {
  readonly bucket: number;
  readonly json: string;
}

// JSON keeps a system apart from a server whatever characters the two hold.
const seriesName = ({ server, system }: SeriesKey): string => `timeline ${JSON.stringify([system, server])}`;
const isSeries = (name: string): boolean => name.startsWith("timeline ");
const parseSeries = (name: string): SeriesKey => {
  const [system, server] = JSON.parse(name.slice("timeline ".length));
  return { system, server };
};

export function memoryReadTimeline(view: Snapshot["view"]): ReadTimeline {
  const sorted = (key: SeriesKey): StoredPoint[] =>
    [...(view(seriesName(key)) as View<StoredPoint>).values()].sort((a, b) => a.bucket - b.bucket);
  const parse = (stored: StoredPoint): TimelinePoint => JSON.parse(stored.json);
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
  return {
    ...memoryReadTimeline(drafts.table),
    async put(key, point) {
      const bucket = point.epoch_div;
      drafts.table<StoredPoint>(seriesName(key)).set(bucket, { bucket, json: JSON.stringify(point) });
    },
    prune: async (system, below, limit) => {
      const due = [...drafts.names()]
        .filter((name) => isSeries(name) && parseSeries(name).system === system)
        .flatMap((name) => {
          const { server } = parseSeries(name);
          return [...drafts.table<StoredPoint>(name).values()].map(({ bucket }) => ({ name, server, bucket }));
        })
        .filter(({ bucket }) => bucket < below)
        // A limit must cut at the same place in every storage.
        .sort((a, b) => a.bucket - b.bucket || compareText(a.server, b.server))
        .slice(0, limit);
      for (const { name, bucket } of due) drafts.table(name).delete(bucket);
      return due.length;
    },
    async drop(server) {
      for (const name of [...drafts.names()]) {
        if (!isSeries(name) || parseSeries(name).server !== server) continue;
        const table = drafts.table<StoredPoint>(name);
        for (const { bucket } of [...table.values()]) table.delete(bucket);
      }
    },
  };
}
