import type { NoticeHold } from "../../model.ts";

/**
 * Holds after which a firing gets time to end by itself before it is reported. A parent that is not known to fire does not count.
 */
export const settles = (hold: NoticeHold | undefined): hold is NoticeHold =>
  hold?.kind === "job" || (hold?.kind === "dependency" && hold.id !== "");

export interface Released {
  /** Unix seconds. */
  readonly now: number;
  /** Seconds. */
  readonly settle: number;
  /** Unix seconds of the last data about the firing. */
  readonly sampled: number | undefined;
}

/** Extends a hold beyond its end: the firing must last for some time, and new data must show that it still fires. */
export function settling(
  before: NoticeHold | undefined,
  { now, settle, sampled = now }: Released,
): NoticeHold | undefined {
  if (!settles(before)) return undefined;
  // Bounds the wait if the clock was set back.
  const until = Math.min(before.until ?? now + settle, now + settle);
  return now < until || sampled < until - settle ? { ...before, until } : undefined;
}
