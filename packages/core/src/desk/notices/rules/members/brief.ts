import type { Member, Problem, Standpoint } from "../../model.ts";
import { type Facts, isLive } from "../problem/facts.ts";

/** Holds after which a firing that ended during the hold is still listed for its receivers. */
const LISTED: ReadonlySet<string> = new Set(["grouping", "delay", "digest"]);

/** Kind of the hold that kept a firing from a receiver when it ended; "" = it ended before any decision for that receiver. */
export const waitedFor = (standing: Standpoint | undefined): string =>
  standing?.by?.kind === "brief" ? standing.by.title : standing ? (standing.by?.kind ?? "grouping") : "";

/** Firings that ended before their notice and that the route lists in the next one. */
export const briefOf = ({ members }: Problem, receiver: string, { timing }: Pick<Facts, "timing">): Member[] =>
  timing.tell_brief ? members.filter((member) => isBrief(member, receiver)) : [];

const isBrief = (member: Member, receiver: string): boolean =>
  !isLive(member) &&
  !member.question &&
  member.told[receiver] === undefined &&
  LISTED.has(waitedFor(member.standing[receiver]));
