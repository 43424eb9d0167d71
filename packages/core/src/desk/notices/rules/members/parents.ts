import type { Member, NoticeHold } from "../../model.ts";
import { isLive } from "../problem/facts.ts";

/** Ids of the firings that hold a live member back. A parent that did not fire yet has no id and is left out. */
export const parentsOf = (member: Pick<Member, "ended" | "hold" | "also">): string[] =>
  isLive(member) ? [member.hold, ...(member.also ?? [])].flatMap((hold) => (isParent(hold) ? hold.id : [])) : [];

const isParent = (hold: NoticeHold | undefined): hold is NoticeHold => hold?.kind === "dependency" && hold.id !== "";
