import type { Member, Problem } from "../../model.ts";
import { type Draft, type Facts, isLive, isTaken, isUncleared, NEVER, worst } from "../problem/facts.ts";
import { idsOf, type Told } from "../problem/tell.ts";
import type { TakenOver } from "./taken-over.ts";

/** Drops the marks of an acknowledgement that was revoked, so that the next one is news again. */
export function forgetTaken(member: Member): Member {
  const isTold = Object.values(member.told).some(({ acknowledged }) => acknowledged);
  if (!isTold || isTaken(member)) return member;
  const told = Object.entries(member.told).map(([receiver, { acknowledged: _past, ...mark }]) => [receiver, mark]);
  return { ...member, told: Object.fromEntries(told) };
}

/**
 * Reports to a receiver who has acknowledged firings that it was notified of. Such notices do not delay others; after the first
 * one they keep the group interval between each other.
 */
export function tellTaken(problem: Problem, receiver: string, facts: Facts): Told {
  const taken = newlyTaken(problem, receiver, facts);
  const [first] = taken;
  const side = problem.sides[receiver];
  if (!first || !side) return { problem, due: NEVER };
  const { closed, keepsState, now, timing, unreachable } = facts;
  const due = side.acknowledged === undefined ? now : side.acknowledged + timing.group_interval;
  if (due > now) return { problem, due };
  const obstacle = unreachable(receiver) ?? (keepsState(receiver) ? undefined : closed);
  if (obstacle) return { problem, due: Math.max(obstacle.until ?? NEVER, now + 1) };
  const by = takeoverOf(first);
  const named = taken.filter((member) => by.who === takeoverOf(member).who);
  const acknowledged = { ...by, invocations: idsOf(named) };
  const seq = side.seq + 1;
  const draft: Draft = {
    id: facts.newId(),
    receiver,
    seq,
    kind: "acknowledged",
    severity: worst(named) ?? problem.severity,
    new: [],
    repeated: [],
    over: [],
    acknowledged,
    still: idsOf(problem.members.filter((member) => isLive(member) && !named.includes(member))),
  };
  const sides = { ...problem.sides, [receiver]: { ...side, seq, acknowledged: now } };
  return { problem: { ...problem, members: noted(problem, named, receiver), sides }, draft, due: now + 1 };
}

const noted = ({ members }: Problem, named: readonly Member[], receiver: string): Member[] =>
  members.map((member) => {
    const mark = member.told[receiver];
    if (!mark || !named.includes(member)) return member;
    return { ...member, told: { ...member.told, [receiver]: { ...mark, acknowledged: true } } };
  });

function takeoverOf({ hold, also = [] }: Member): Omit<TakenOver, "invocations"> {
  const by = [hold, ...also].find((each) => each?.kind === "acknowledgement");
  return { who: by?.id ?? "", comment: by?.title ?? "" };
}

/**
 * Newly acknowledged firings. A service that keeps states has a single state for the problem, so it is notified only once all
 * reported firings are acknowledged.
 */
function newlyTaken({ members }: Problem, receiver: string, facts: Facts): Member[] {
  const { digestDue, isTaker, keepsState, sights, timing } = facts;
  const known = members.filter((member) => isLive(member) && isUncleared(member, receiver));
  const taken = known.filter((member) => isTaken(member) && !member.told[receiver]?.acknowledged);
  if (keepsState(receiver)) return known.every(isTaken) ? taken : [];
  const isAlone = new Set(timing.steps.flatMap(({ to }) => to)).size < 2;
  if (isAlone || digestDue) return [];
  const takerOf = (member: Member): string => sights.get(member.invocation)?.taker ?? takeoverOf(member).who;
  return taken.filter((member) => !isTaker(receiver, takerOf(member)));
}
