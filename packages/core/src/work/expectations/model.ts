/** Since when an event is judged; the id is the event's. Gone while nothing is expected of it, or it is disabled. */
export interface Judged {
  id: string;
  /** Unix seconds. */
  readonly from: number;
}

/** Values that expressions of alerts on events read (docs/contract/alerts.md#events). */
export interface EventSight extends Readonly<Record<string, unknown>> {
  readonly expect: {
    /** Seconds by which a success is late; 0 = it is not. */
    readonly overdue_sec: number;
    /** Seconds by which the start of a scheduled run is late; 0 = it is not. */
    readonly late_start_sec: number;
    /** Seconds by which the longest run is too long; 0 = none is. */
    readonly overtime_sec: number;
    /** Failures within the time in which they are counted. */
    readonly failures: number;
    /** Failures more than may be. */
    readonly failures_over: number;
  };
  readonly run: {
    /** Unix seconds of the last end, and of the last success; absent = there was none. */
    readonly last?: number | undefined;
    readonly last_success?: number | undefined;
    /** Jobs that are running. */
    readonly running: number;
  };
  readonly event: {
    readonly id: string;
    readonly title: string;
    readonly category: string;
    readonly tags: readonly string[];
  };
}
