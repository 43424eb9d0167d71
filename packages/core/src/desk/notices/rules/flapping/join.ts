import type { Episode } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { Member, Problem } from "../../model.ts";
import { flapOf, isUncleared, latestOf } from "../problem/facts.ts";

/** Members of a problem after a firing has joined. */
export interface Joined {
  readonly members: readonly Member[];
  /** The flapping member that the firing became part of; absent = the firing is a separate member. */
  readonly partOf?: Member;
  /** The invocation that the firing continues, because its end was not reported. */
  readonly continues?: string;
}

/**
 * Adds a firing to the members of a problem. A firing of a flapping alert is no news. A firing that follows an unreported end is
 * not news either: it continues the old firing, and notices of that count for it.
 */
export function join(members: readonly Member[], member: Member, episode: Episode | undefined): Joined {
  const flapping = flappingIn(members, member);
  if (flapping?.flap) {
    const { invocation: latest } = member;
    const partOf: Member = { ...flapping, flap: { ...flapping.flap, count: flapping.flap.count + 1, latest } };
    return { members: members.map((each) => (each === flapping ? partOf : each)), partOf };
  }
  const before = members.findLast(
    // A match has ended even if it was live at the last look, since an alert has at most one live firing on a subject.
    (each) => isSame(each, member) && Object.keys(each.told).some((receiver) => isUncleared(each, receiver)),
  );
  if (!before) return added(members, member, episode);
  const others = members.map((each) => (each === before ? left(before) : each));
  return { ...added(others, { ...member, ...handedOn(before) }, episode), continues: latestOf(before) };
}

/** Adds a firing of an alert on a subject that no member is about. */
export function added(members: readonly Member[], member: Member, episode: Episode | undefined): Joined {
  const flap = episode && { flap: { ...episode, latest: member.invocation } };
  return { members: [...members, { ...member, ...flap }] };
}

/**
 * The new firing takes over the marks of receivers that were not notified of the old one's end. All other receivers are notified
 * of a new firing.
 */
function handedOn(before: Member): Pick<Member, "told" | "standing"> {
  const goesOn = ([receiver]: [string, unknown]): boolean => isUncleared(before, receiver);
  const told = Object.fromEntries(Object.entries(before.told).filter(goesOn));
  return { told, standing: Object.fromEntries(Object.entries(before.standing).filter(goesOn)) };
}

const left = (before: Member): Member => ({
  ...before,
  told: Object.fromEntries(Object.entries(before.told).filter(([receiver]) => !isUncleared(before, receiver))),
});

/** Maximum firings in one problem; more begin a second one. */
const MAX_MEMBERS = 10_000;

/**
 * The open problem that a firing joins: the one in which it already flaps, else one with room. `about` is undefined if no member is
 * about the same alert and subject.
 */
export function placeFor(open: readonly Problem[], key: string, about: About | undefined): Problem | undefined {
  const alike = open.filter((each) => each.key === key);
  const own = about && alike.find(({ members }) => flappingIn(members, about) !== undefined);
  return own ?? alike.find(({ members }) => members.length < MAX_MEMBERS);
}

type About = Pick<Member, "alert" | "server">;
/** Key of an alert on a subject; two that share one only cost a search. */
export const pairOf = ({ alert, server }: About): string => `${alert} ${server}`;
const isSame = (a: About, b: About): boolean => a.alert === b.alert && a.server === b.server;

const flappingIn = (members: readonly Member[], about: About): Member | undefined =>
  members.findLast((each) => isSame(each, about) && flapOf(each) !== undefined);
