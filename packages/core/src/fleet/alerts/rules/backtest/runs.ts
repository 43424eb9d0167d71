import type { Alert } from "../../model.ts";
import type { PastMinute } from "./replay.ts";
import type { Stretch } from "./stretches.ts";

/** A place with its minutes, and all definitions that are to be run over them. */
export interface RunLane {
  /** Id of a server, or the key of another subject. */
  readonly place: string;
  readonly minutes: AsyncIterable<PastMinute>;
  readonly alerts: readonly Alert[];
  /** Its minutes come by the clock, also without reports of the place. */
  readonly isByClock?: boolean;
}

/** A firing that minutes make. Unix seconds, of the beginnings of minutes. */
export interface PastRun {
  readonly alert: Alert;
  readonly place: string;
  /** First true minute. */
  readonly date: number;
  readonly fired: number;
  /** Absent = it is live to the end. */
  readonly to?: number;
  /** It ended for want of data. */
  readonly stale?: boolean;
  readonly message: string;
}

/** A time in which an alert was true and had not fired. */
export interface Warmup extends Stretch {
  readonly alert: string;
  readonly place: string;
}

export interface PastRuns {
  readonly runs: readonly PastRun[];
  readonly warmups: readonly Warmup[];
  /** Times without a gap, by place. */
  readonly seen: ReadonlyMap<string, readonly Stretch[]>;
  /** More firings were found than were asked for. */
  readonly truncated: boolean;
}
