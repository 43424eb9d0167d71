/** Since when an event is judged; the id is the event's. Deleted when the event is disabled or has no expectations. */
export interface Judged {
  id: string;
  /** Unix seconds. */
  readonly from: number;
}

/** Values that expressions of alerts on events read (docs/contract/alerts.md#events). */
export interface EventSight extends Readonly<Record<string, unknown>> {
  readonly expect: {
    /** Seconds by which a success is late; 0 = not late. */
    readonly overdue_sec: number;
    /** Seconds by which the start of a scheduled run is late; 0 = not late. */
    readonly late_start_sec: number;
    /** Seconds by which the longest run exceeds its time; 0 = no run does. */
    readonly overtime_sec: number;
    /** Failures within the period in which they are counted. */
    readonly failures: number;
    /** Failures above the allowed number. */
    readonly failures_over: number;
  };
  readonly run: {
    /** Unix seconds of the last end and of the last success; absent = none yet. */
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
