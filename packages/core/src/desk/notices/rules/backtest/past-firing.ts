import type { FlapRule } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { NoticeHold } from "../../model.ts";
import type { Firing } from "../routing/match.ts";

/** Keeps a firing back from one second to another; absent `to` = to its end. */
export interface PastHold {
  readonly from: number;
  readonly to?: number | undefined;
  readonly hold: NoticeHold;
  /** Further reasons that keep it back at the same time. */
  readonly also?: readonly NoticeHold[];
}

/** Facts about a firing that ended for want of data. Unix seconds. */
export interface Question {
  /** Time at which data came back. */
  readonly returned?: number;
  /** Time at which enough minutes without a firing have come to call it over. */
  readonly answered?: number;
  /** Time from which the question stays open for good. */
  readonly lost: number;
}

/** A firing of the past. Times are Unix seconds. */
export interface PastFiring {
  readonly invocation: string;
  readonly firing: Firing;
  readonly from: number;
  /** Absent = it is live to the end. */
  readonly to?: number | undefined;
  readonly holds: readonly PastHold[];
  /** Present if it ended for want of data. */
  readonly question?: Question;
  /** The reason why nobody would hear of its end. */
  readonly endsUntold?: NoticeHold | undefined;
  readonly flapRule: FlapRule;
}
