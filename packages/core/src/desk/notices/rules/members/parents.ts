import type { Member, NoticeHold } from "../../model.ts";
import { isLive } from "../problem/facts.ts";

/** Firings that a live member waits for; one that is not known yet has no id. */
export const parentsOf = (member: Pick<Member, "ended" | "hold" | "also">): string[] =>
  isLive(member) ? [member.hold, ...(member.also ?? [])].flatMap((hold) => (isParent(hold) ? hold.id : [])) : [];

const isParent = (hold: NoticeHold | undefined): hold is NoticeHold => hold?.kind === "dependency" && hold.id !== "";
