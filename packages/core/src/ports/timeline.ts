/** One bucket of a server's monitoring history (part 20 §6). Sums, never averages: `totals[id] / count` is the value. */
export interface TimelinePoint {
  /** ⌊date / interval⌋ */
  readonly epoch_div: number;
  /** Unix seconds: epoch_div × interval. */
  readonly date: number;
  /** Samples merged into the bucket. */
  readonly count: number;
  /** Monitor id → sum over the samples. */
  readonly totals: Readonly<Record<string, number>>;
  /** Alerts that fired in the bucket. */
  readonly alerts?: Readonly<Record<string, true>>;
  /** Delta monitor id → sum of the per-minute deltas. */
  readonly deltas?: Readonly<Record<string, number>>;
  /** Only ids whose number of samples differs from `count`. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** Names a series: server id and system ("hourly", "daily" …). */
export interface SeriesKey {
  readonly server: string;
  readonly system: string;
}

export interface ReadTimeline {
  /** The newest `limit` stored points, oldest first. */
  latest(key: SeriesKey, limit: number): Promise<TimelinePoint[]>;
  /** Stored points with `from` ≤ epoch_div < `to`, oldest first, at most `limit`. */
  range(key: SeriesKey, bounds: { from: number; to: number; limit: number }): Promise<TimelinePoint[]>;
  /** Number of the oldest and newest stored bucket; undefined when there is none. */
  bounds(key: SeriesKey): Promise<{ first: number; last: number } | undefined>;
}

export interface Timeline extends ReadTimeline {
  /** Writes the point of its bucket, replacing the one stored there. */
  put(key: SeriesKey, point: TimelinePoint): Promise<void>;
  /** Removes the points of a system below a bucket number, at most `limit`; returns how many went. */
  prune(system: string, below: number, limit: number): Promise<number>;
  /** Removes every system of a server. */
  drop(server: string): Promise<void>;
}
