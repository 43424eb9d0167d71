import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import type { SeriesAsk, SeriesPlace, TimelineColumns } from "../../model.ts";
import { mergeBuckets, minutePoint, type TimelineSample } from "../../rules/timeline/timeline-merge.ts";
import { columnsOf, historicalRange, latestRange, type RowMonitor } from "../../rules/timeline/timeline-rows.ts";
import { timelineReader } from "./timeline-reader.ts";
import { planPoint, timelineWriter } from "./timeline-writer.ts";

/** A sample for a series of another domain. */
export interface SeriesSample extends Pick<TimelineSample, "date"> {
  /** Key of the series; no id of a server. */
  readonly key: string;
  readonly values: TimelineSample["monitors"];
  /** End of the series as `add` answered it last; absent = it is read. */
  readonly at?: SeriesPlace | undefined;
}

/** Series of numbers of other domains, summed up and cut as series of servers are. */
export interface OwnSeries {
  /** Samples of different series; samples of one minute become one point. Answers where each stands, in their order. */
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
    // Its minute is stored already, so that the newest one is not the one before.
    const entries = planPoint({ server: key, head: before, point: merged }).entries.map(
      ({ after: _older, ...entry }) => entry,
    );
    return { entries, place: { before, open: merged } };
  }
  const head = open ? planPoint({ server: key, head: before, point: open }).next : before;
  // A clock that went back, or a minute of an earlier run: the stored point stays.
  if (head.minute !== undefined && head.minute >= point.epoch_div) return { entries: [], place };
  return { entries: planPoint({ server: key, head, point }).entries, place: { before: head, open: point } };
}
