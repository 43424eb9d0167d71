import type { Member, NoticeHold } from "../../model.ts";

/** Seconds after which a delayed end is no longer news and is sent as a digest. */
const LATE_SEC = 3600;

const DELAYS: ReadonlySet<NoticeHold["kind"]> = new Set(["snooze", "hours"]);

/** Whether a snooze or the hours of the route delayed the end of a firing by more than `LATE_SEC`. */
export function isLateEnd({ ended, standing }: Pick<Member, "ended" | "standing">, receiver: string, now: number) {
  const { verdict, by } = standing[receiver] ?? {};
  return ended !== undefined && now - ended > LATE_SEC && verdict === "held" && by !== undefined && DELAYS.has(by.kind);
}
