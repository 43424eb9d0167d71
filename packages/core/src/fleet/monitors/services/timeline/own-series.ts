import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import type { SeriesAsk, SeriesPlace, TimelineColumns } from "../../model.ts";
import { mergeBuckets, minutePoint, type TimelineSample } from "../../rules/timeline/timeline-merge.ts";
import { columnsOf, historicalRange, latestRange, type RowMonitor } from "../../rules/timeline/timeline-rows.ts";
import { timelineReader } from "./timeline-reader.ts";
import { planPoint, timelineWriter } from "./timeline-writer.ts";

/** A sample for a series of another domain. */
export interface SeriesSample extends Pick<TimelineSample, "date"> {
  /** Key of the series; must not be an id of a server. */
  readonly key: string;
  readonly values: TimelineSample["monitors"];
  /** End of the series as `add` returned it last; absent = it is read from the storage. */
  readonly at?: SeriesPlace | undefined;
}

/** Series of numbers that belong to other domains; aggregated and expired like timelines of servers. */
export interface OwnSeries {
  /**
   * Adds samples of different series; samples of the same minute merge into one point. Returns the new end of each
   * series, in order.
   */
  add(tx: WriteTx, samples: readonly SeriesSample[]): Promise<readonly SeriesPlace[]>;
  /** Averages by name; undefined = there are none. */
  read(tx: ReadTx, key: string, ask: SeriesAsk): Promise<TimelineColumns | undefined>;
  drop(tx: WriteTx, key: string): Promise<void>;
}

export const ownSeries: OwnSeries = {
  async add(tx, samples) {
    const places = await Promise.all(samples.map(async ({ key, at }) => at ?? (await placeIn(tx, key))));
    const plans = samples.map((sample, index) => planSample(sample, places[index] ?? EMPTY));
    await tx.timeline.putMany(plans.flatMap(({ entries }) => entries));
    return plans.map(({ place }) => place);
  },
  async read(tx, key, { system, date, limit }) {
    const reader = timelineReader(tx, key);
    const extent = await reader.extent(system);
    const range =
      date === undefined ? latestRange(system, extent, limit) : historicalRange(system, extent, { date, limit });
    if (!range) return undefined;
    return columnsOf(await reader.points(system, range.from, range.to), range, { monitors: NONE });
  },
  drop: (tx, key) => tx.timeline.drop(key),
};

const NONE: ReadonlyMap<string, RowMonitor> = new Map();
const EMPTY: SeriesPlace = { before: { minute: undefined } };

async function placeIn(tx: ReadTx, key: string): Promise<SeriesPlace> {
  return { before: await timelineWriter.head(tx, key) };
}

function planSample({ key, date, values }: SeriesSample, place: SeriesPlace) {
  const { before, open } = place;
  const point = minutePoint({ date, monitors: values, deltas: {}, alerts: {} });
  if (open?.epoch_div === point.epoch_div) {
    const merged = mergeBuckets(open, point);
    // The point of this minute is already stored, so the condition that the newest one is older must not be checked.
    const entries = planPoint({ server: key, head: before, point: merged }).entries.map(
      ({ after: _older, ...entry }) => entry,
    );
    return { entries, place: { before, open: merged } };
  }
  const head = open ? planPoint({ server: key, head: before, point: open }).next : before;
  // The clock was set back, or the minute is from an earlier run: the stored point stays.
  if (head.minute !== undefined && head.minute >= point.epoch_div) return { entries: [], place };
  return { entries: planPoint({ server: key, head, point }).entries, place: { before: head, open: point } };
}
