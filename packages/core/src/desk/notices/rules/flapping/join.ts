import type { Episode } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import type { Member, Problem } from "../../model.ts";
import { flapOf, isUncleared, latestOf } from "../problem/facts.ts";

/** The members of a problem that a firing has joined. */
export interface Joined {
  readonly members: readonly Member[];
  /** The member that the firing is a part of, because that one flaps; absent = it is a member of its own. */
  readonly partOf?: Member;
  /** The invocation that the firing goes on from, as its end was not told. */
  readonly continues?: string;
}

/**
 * Adds a firing to the members of a problem. A firing of a flapping alert is no news. Neither is one that follows an
 * end that was not told yet: notices of the old firing count for it.
 */
export function join(members: readonly Member[], member: Member, episode: Episode | undefined): Joined {
  const flapping = flappingIn(members, member);
  if (flapping?.flap) {
    const { invocation: latest } = member;
    const partOf: Member = { ...flapping, flap: { ...flapping.flap, count: flapping.flap.count + 1, latest } };
    return { members: members.map((each) => (each === flapping ? partOf : each)), partOf };
  }
  const flap = episode ? { flap: { ...episode, latest: member.invocation } } : {};
  const before = members.findLast(
    // A firing that was live at the last look has ended since: an alert has one live firing on a subject.
    (each) => isSame(each, member) && Object.keys(each.told).some((receiver) => isUncleared(each, receiver)),
  );
  if (!before) return { members: [...members, { ...member, ...flap }] };
  const others = members.map((each) => (each === before ? left(before) : each));
  return { members: [...others, { ...member, ...flap, ...handedOn(before) }], continues: latestOf(before) };
}

/**
 * Marks of the old firing that pass on to the new one: of receivers that have not heard of the end. The others hear of
 * a new firing.
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

/** Firings of one problem; more begin a second one. */
const MAX_MEMBERS = 10_000;

/** The open problem that a firing joins: the one in which it flaps already, or else one with room for one more. */
export function placeFor(open: readonly Problem[], key: string, about: About): Problem | undefined {
  const alike = open.filter((each) => each.key === key);
  const own = alike.find(({ members }) => flappingIn(members, about) !== undefined);
  return own ?? alike.find(({ members }) => members.length < MAX_MEMBERS);
}

type About = Pick<Member, "alert" | "server">;
const isSame = (a: About, b: About): boolean => a.alert === b.alert && a.server === b.server;

const flappingIn = (members: readonly Member[], about: About): Member | undefined =>
  members.findLast((each) => isSame(each, about) && flapOf(each) !== undefined);
