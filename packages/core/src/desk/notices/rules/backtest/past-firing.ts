import type { FlapRule } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { NoticeHold } from "../../model.ts";
import type { Firing } from "../routing/match.ts";

/** Holds a firing back from one second to another; absent `to` = until its end. */
export interface PastHold {
  readonly from: number;
  readonly to?: number | undefined;
  readonly hold: NoticeHold;
  /** Additional holds at the same time. */
  readonly also?: readonly NoticeHold[];
}

/** Facts about a firing that ended for missing data. Times are Unix seconds. */
export interface Question {
  /** Time at which data came back. */
  readonly returned?: number;
  /** Time at which enough minutes without a firing have arrived to count it as over. */
  readonly answered?: number;
  /** Time after which it can no longer be known whether the firing is over. */
  readonly lost: number;
}

/** A past firing. Times are Unix seconds. */
export interface PastFiring {
  readonly invocation: string;
  readonly firing: Firing;
  readonly from: number;
  /** Absent = live to the end of the time. */
  readonly to?: number | undefined;
  readonly holds: readonly PastHold[];
  /** Present if it ended for missing data. */
  readonly question?: Question;
  /** The reason why nobody would be notified of its end. */
  readonly endsUntold?: NoticeHold | undefined;
  readonly flapRule: FlapRule;
}
