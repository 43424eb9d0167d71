import type { NoticeHold } from "../../model.ts";

/** After these a firing has some time to end by itself before it is told; what is not known yet is none of them. */
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

/** What holds a firing on after the hold that it had has ended: it must be seen firing still, and last a while. */
export function settling(
  before: NoticeHold | undefined,
  { now, settle, sampled = now }: Released,
): NoticeHold | undefined {
  if (!settles(before)) return undefined;
  // A clock that went back makes nobody wait for longer than that.
  const until = Math.min(before.until ?? now + settle, now + settle);
  return now < until || sampled < until - settle ? { ...before, until } : undefined;
}
