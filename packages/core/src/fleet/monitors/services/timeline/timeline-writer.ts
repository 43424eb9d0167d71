import type { ReadTx, WriteTx } from "../../../../ports/storage/storage.ts";
import type { TimelineEntry } from "../../../../ports/storage/timeline.ts";
import type { Bucket, SeriesHead } from "../../model.ts";
import {
  bucketOf,
  foldPoints,
  INTERVALS,
  mergeBuckets,
  minutePoint,
  type TimelineSample,
  widenPoint,
} from "../../rules/timeline/timeline-merge.ts";

/** Why a sample is rejected: its minute, or a newer one, is already stored. */
export type Refusal = "duplicate" | "late";

/** One minute of one server. */
export interface TimelineMinute {
  readonly server: string;
  readonly head: SeriesHead;
  readonly sample: TimelineSample;
}

/**
 * Writes the minutes of servers into their timelines. Each minute writes only its point of the minute list. The first
 * minute of an hour also writes the sums of the previous hour, and the first minute of a half-day those of the previous
 * half-day. Readers aggregate sums that are not stored yet.
 */
export interface TimelineWriter {
  /** Reads the head of a server for which none is cached. */
  head(tx: ReadTx, server: string): Promise<SeriesHead>;
  /** Undefined = the sample may be appended. Pure. */
  refusal(head: SeriesHead, date: number): Refusal | undefined;
  /**
   * Appends one minute that `refusal` accepts. Returns the new head, which is valid once the transaction has committed.
   */
  append(tx: WriteTx, server: string, head: SeriesHead, sample: TimelineSample): Promise<SeriesHead>;
  /** Appends minutes of different servers with few statements. Returns the new heads in the same order. */
  appendMany(tx: WriteTx, minutes: readonly TimelineMinute[]): Promise<SeriesHead[]>;
}

export const timelineWriter: TimelineWriter = {
  head: readHead,
  refusal: refusalOf,
  append: async (tx, server, head, sample) => {
    const { entries, next } = planMinute({ server, head, sample });
    await tx.timeline.putMany(entries);
    return next;
  },
  appendMany: async (tx, minutes) => {
    const plans = minutes.map(planMinute);
    await tx.timeline.putMany(plans.flatMap(({ entries }) => entries));
    return plans.map(({ next }) => next);
  },
};

const MINUTES = INTERVALS.monthly / INTERVALS.hourly;
const HOURS = INTERVALS.yearly / INTERVALS.monthly;

async function readHead({ timeline }: ReadTx, server: string): Promise<SeriesHead> {
  const [newest] = await timeline.latest({ server, system: "hourly" }, 1);
  if (!newest) return { minute: undefined };
  const minute = newest.epoch_div;
  const hourNumber = Math.floor(minute / MINUTES);
  const since = hourNumber * MINUTES;
  const minutes = await timeline.range({ server, system: "hourly" }, { from: since, to: minute + 1, limit: MINUTES });
  const firstHour = Math.floor(hourNumber / HOURS) * HOURS;
  const hours = await timeline.range({ server, system: "monthly" }, { from: firstHour, to: hourNumber, limit: HOURS });
  const [hour] = foldPoints(minutes, "monthly");
  const [halfDay] = foldPoints(hours, "yearly");
  return { minute, ...(hour ? { hour } : {}), ...(halfDay ? { halfDay } : {}) };
}

function refusalOf({ minute }: SeriesHead, date: number): Refusal | undefined {
  const wanted = Math.floor(date / INTERVALS.hourly);
  if (minute === undefined || minute < wanted) return undefined;
  return minute === wanted ? "duplicate" : "late";
}

interface Plan {
  readonly entries: readonly TimelineEntry[];
  readonly next: SeriesHead;
}

function planMinute({ server, head, sample }: TimelineMinute): Plan {
  if (refusalOf(head, sample.date)) throw new Error(`The timeline of server ${server} refused a checked sample`);
  return planPoint({ server, head, point: minutePoint(sample) });
}

/** A point that is newer than all others in the minute list. */
interface NewestPoint extends Pick<TimelineMinute, "server" | "head"> {
  readonly point: Bucket;
}

/** The entries to write for a newer point, and the head of the series after it. Pure. */
export function planPoint({ server, head, point }: NewestPoint): Plan {
  const minute: TimelineEntry = {
    server,
    system: "hourly",
    point,
    ...(head.minute === undefined ? {} : { after: head.minute }),
  };
  const { hour, halfDay } = head;
  if (!hour) return { entries: [minute], next: { minute: point.epoch_div, hour: widenPoint(point, "monthly") } };
  if (bucketOf(point, "monthly") === hour.epoch_div)
    return { entries: [minute], next: { ...head, minute: point.epoch_div, hour: mergeBuckets(hour, point) } };
  const closed: TimelineEntry = { server, system: "monthly", point: hour };
  const half = halfDay ? mergeBuckets(halfDay, hour) : widenPoint(hour, "yearly");
  const next: SeriesHead = { minute: point.epoch_div, hour: widenPoint(point, "monthly") };
  return bucketOf(point, "yearly") === half.epoch_div
    ? { entries: [minute, closed], next: { ...next, halfDay: half } }
    : { entries: [minute, closed, { server, system: "yearly", point: half }], next };
}
