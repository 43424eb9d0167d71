import type { Alert } from "../../model.ts";
import type { PastMinute } from "./replay.ts";
import type { Stretch } from "./stretches.ts";

/** A place with its minutes, and the definitions to run over them. */
export interface RunLane {
  /** Id of a server, or the key of another subject. */
  readonly place: string;
  readonly minutes: AsyncIterable<PastMinute>;
  readonly alerts: readonly Alert[];
  /** Its minutes come by the clock, even if the place does not report. */
  readonly isByClock?: boolean;
}

/** A firing that the minutes produce. Times are Unix seconds of the start of a minute. */
export interface PastRun {
  readonly alert: Alert;
  readonly place: string;
  /** The first true minute. */
  readonly date: number;
  readonly fired: number;
  /** Absent = live until the end. */
  readonly to?: number;
  /** It ended for lack of data. */
  readonly stale?: boolean;
  readonly message: string;
}

/** A span in which an alert was true but had not fired. */
export interface Warmup extends Stretch {
  readonly alert: string;
  readonly place: string;
}

export interface PastRuns {
  readonly runs: readonly PastRun[];
  readonly warmups: readonly Warmup[];
  /** Stretches of minutes without a gap, by place. */
  readonly seen: ReadonlyMap<string, readonly Stretch[]>;
  /** There were more firings than the request allowed. */
  readonly truncated: boolean;
}
