import type { Problem } from "../../model.ts";
import { type Draft, type Facts, isFree, isLive, isNamed, isUncleared, NEVER, worst } from "../problem/facts.ts";
import { idsOf, obstacleOf, type Told } from "../problem/tell.ts";
import { withPerson } from "./duty.ts";

/**
 * Reports live firings that nobody acknowledged to the person who has come on duty. This is done once, and leaves no marks in the
 * firings, since it makes them neither new nor repeated.
 */
export function handOver(problem: Problem, receiver: string, facts: Facts): Told {
  const side = problem.sides[receiver];
  const person = facts.onDuty(receiver);
  const before = side?.duty?.at(-1);
  const open = problem.members.filter((member) => isFree(member) && isUncleared(member, receiver));
  if (
    !side ||
    person === undefined ||
    before === undefined ||
    before === person ||
    open.length === 0 ||
    !isNamed(receiver, facts)
  )
    return { problem, due: NEVER };
  const obstacle = obstacleOf({ fresh: [], again: open, turned: [] }, problem, receiver, facts);
  if (obstacle) return { problem, due: Math.max(obstacle.until ?? NEVER, facts.now + 1) };
  const seq = side.seq + 1;
  const draft: Draft = {
    id: facts.newId(),
    receiver,
    seq,
    severity: worst(open) ?? problem.severity,
    kind: "escalation",
    new: [],
    repeated: [],
    over: [],
    still: idsOf(problem.members.filter(isLive)),
    hand_over: true,
  };
  const told = { ...side, ...withPerson(side, person), seq };
  return { problem: { ...problem, sides: { ...problem.sides, [receiver]: told } }, draft, due: NEVER };
}
