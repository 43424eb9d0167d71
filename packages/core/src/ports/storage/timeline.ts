/**
 * One bucket of a server's monitoring history (docs/contract/monitors.md#buckets). Sums, never averages:
 * `totals[id] / count` is the value.
 */
export interface TimelinePoint {
  /** ⌊date / interval⌋ */
  readonly epoch_div: number;
  /** Unix seconds: epoch_div × interval. */
  readonly date: number;
  /** Samples merged into the bucket: a whole number. */
  readonly count: number;
  /** Monitor id → sum over the samples. */
  readonly totals: Readonly<Record<string, number>>;
  /** Alerts that fired in the bucket. */
  readonly alerts?: Readonly<Record<string, true>>;
  /** Delta monitor id → sum of the per-minute deltas. */
  readonly deltas?: Readonly<Record<string, number>>;
  /** Numbers of samples by id, only where they differ from `count`. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** Names a series: server id and system ("hourly", "daily" …). */
export interface SeriesKey {
  readonly server: string;
  readonly system: string;
}

/** Time series of numbers in one snapshot. */
export interface ReadTimeline {
  /** The newest `limit` stored points, oldest first. */
  latest(key: SeriesKey, limit: number): Promise<TimelinePoint[]>;
  /** Stored points with `from` ≤ epoch_div < `to`, oldest first, at most `limit`. */
  range(key: SeriesKey, bounds: { from: number; to: number; limit: number }): Promise<TimelinePoint[]>;
  /** Number of the oldest and newest stored bucket; undefined when there is none. */
  bounds(key: SeriesKey): Promise<{ first: number; last: number } | undefined>;
}

/** One point to write. */
export interface TimelineEntry extends SeriesKey {
  readonly point: TimelinePoint;
  /** Newest bucket of the series, if the writer knows it: saves the storage a lookup. Must be true. */
  readonly after?: number;
}

/** Time series of numbers, in a transaction that may write. */
export interface Timeline extends ReadTimeline {
  /** Writes the point of its bucket, replacing the one stored there. */
  put(key: SeriesKey, point: TimelinePoint): Promise<void>;
  /** Writes points of any series, replacing those stored in their buckets, with few statements. */
  putMany(entries: readonly TimelineEntry[]): Promise<void>;
  /**
   * One bounded step of housekeeping: packs points of a system below a bucket number, of `limit` series at most, and frees the
   * space of dropped servers. True = there is more. Reads return the same before and after.
   */
  tidy(system: string, below: number, limit: number): Promise<boolean>;
  /**
   * Removes points of a system below a bucket number, about `limit` of them; true = there is more. Points of sixty
   * buckets (those with the same ⌊number / 60⌋) go together, so that up to 59 older ones stay.
   */
  prune(system: string, below: number, limit: number): Promise<boolean>;
  /** Removes every system of a server. */
  drop(server: string): Promise<void>;
}
