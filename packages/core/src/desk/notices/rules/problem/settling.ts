import type { NoticeHold } from "../../model.ts";

/** Holds after which a firing has some time to end by itself before it is told; not an unknown parent. */
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

/** The hold that goes on after its own end: the firing must be seen firing still, and last a while. */
export function settling(
  before: NoticeHold | undefined,
  { now, settle, sampled = now }: Released,
): NoticeHold | undefined {
  if (!settles(before)) return undefined;
  // A clock that went back makes the wait no longer than that.
  const until = Math.min(before.until ?? now + settle, now + settle);
  return now < until || sampled < until - settle ? { ...before, until } : undefined;
}
