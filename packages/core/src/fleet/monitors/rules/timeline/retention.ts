import { durationSeconds } from "../../../../lib/time/duration.ts";
import type { System } from "../../model.ts";
import { INTERVALS } from "./timeline-merge.ts";

/** The oldest bucket of a list that is kept; undefined = keep all, if `expiration` is no valid duration. */
export function oldestKept(system: System, now: number, expiration: string): number | undefined {
  const seconds = durationSeconds(expiration);
  return seconds > 0 ? Math.floor((now - seconds) / INTERVALS[system]) : undefined;
}
