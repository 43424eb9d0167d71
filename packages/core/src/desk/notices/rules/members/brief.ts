import type { Member, Problem, Standpoint } from "../../model.ts";
import { type Facts, isLive } from "../problem/facts.ts";

/** Holds of a firing that ended untold after which its receivers hear of it all the same. */
const LISTED: ReadonlySet<string> = new Set(["grouping", "delay", "digest"]);

/**
 * Kind of the hold that kept a firing from a receiver when it ended; "" = it ended before any decision for that
 * receiver.
 */
export const waitedFor = (standing: Standpoint | undefined): string =>
  standing?.by?.kind === "brief" ? standing.by.title : standing ? (standing.by?.kind ?? "grouping") : "";

/** Firings that ended before they were told, where the route lists such firings in the next notice. */
export const briefOf = ({ members }: Problem, receiver: string, { timing }: Pick<Facts, "timing">): Member[] =>
  timing.tell_brief ? members.filter((member) => isBrief(member, receiver)) : [];

const isBrief = (member: Member, receiver: string): boolean =>
  !isLive(member) &&
  !member.question &&
  member.told[receiver] === undefined &&
  LISTED.has(waitedFor(member.standing[receiver]));
