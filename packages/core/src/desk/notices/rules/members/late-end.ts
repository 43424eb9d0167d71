import type { Member, NoticeHold } from "../../model.ts";

/** Seconds after which an end that had to wait is no news any more, and comes as a digest. */
const LATE_SEC = 3600;

const DELAYS: ReadonlySet<NoticeHold["kind"]> = new Set(["snooze", "hours"]);

/** Whether a snooze or the hours of the route put the end of a firing off for longer than `LATE_SEC`. */
export function isLateEnd({ ended, standing }: Pick<Member, "ended" | "standing">, receiver: string, now: number) {
  const { verdict, by } = standing[receiver] ?? {};
  return ended !== undefined && now - ended > LATE_SEC && verdict === "held" && by !== undefined && DELAYS.has(by.kind);
}
