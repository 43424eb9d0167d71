import type { Member, NoticeHold } from "../../model.ts";
import { isLive } from "../problem/facts.ts";

/** Ids of the firings that a live member waits for; a firing that is not known yet has none. */
export const parentsOf = (member: Pick<Member, "ended" | "hold" | "also">): string[] =>
  isLive(member) ? [member.hold, ...(member.also ?? [])].flatMap((hold) => (isParent(hold) ? hold.id : [])) : [];

const isParent = (hold: NoticeHold | undefined): hold is NoticeHold => hold?.kind === "dependency" && hold.id !== "";
