import type { Member, Problem, Standpoint } from "../../model.ts";
import { type Facts, isLive } from "../problem/facts.ts";

/** What a firing may have waited for when it ended untold, for its receivers to hear of it all the same. */
const LISTED: ReadonlySet<string> = new Set(["grouping", "delay", "digest"]);

/** What kept a firing from a receiver when it ended; "" = it ended before anything was decided for that one. */
export const waitedFor = (standing: Standpoint | undefined): string =>
  standing?.by?.kind === "brief" ? standing.by.title : standing ? (standing.by?.kind ?? "grouping") : "";

/** Firings that ended before they were told, where the route lists those in the next notice. */
export const briefOf = ({ members }: Problem, receiver: string, { timing }: Pick<Facts, "timing">): Member[] =>
  timing.tell_brief ? members.filter((member) => isBrief(member, receiver)) : [];

const isBrief = (member: Member, receiver: string): boolean =>
  !isLive(member) &&
  !member.question &&
  member.told[receiver] === undefined &&
  LISTED.has(waitedFor(member.standing[receiver]));
