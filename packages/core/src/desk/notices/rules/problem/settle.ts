import type { Member, Problem } from "../../model.ts";
import { briefOf } from "../members/brief.ts";
import { handOver } from "../people/hand-over.ts";
import { forgetTaken, tellTaken } from "../people/taken.ts";
import { nextStep, standStill, startSteps } from "../routing/steps.ts";
import { type Draft, endUntold, type Facts, isLive, isUncleared, lookAt, NEVER, settlesAt, worst } from "./facts.ts";
import { heardQuietly, nextQuiet } from "./marks.ts";
import { withStandings } from "./standings.ts";
import { tell } from "./tell.ts";

export interface Settled {
  readonly problem: Problem;
  readonly drafts: readonly Draft[];
}

/**
 * Decides which notices about a problem are due now (docs/contract/notices.md#from-firing-to-notice). Decisions are stored in the
 * problem, so deciding again is idempotent.
 */
export function settle(stored: Problem, facts: Facts): Settled {
  const before = notAhead(stored, facts.now);
  const members = before.members.map((member) => standStill(forgetTaken(lookAt(member, facts)), facts.now));
  const severity = worst(members.filter(isLive)) ?? before.severity;
  let problem = heardQuietly(startSteps({ ...before, members, severity }, facts), facts);
  let due = NEVER;
  const drafts: Draft[] = [];
  for (const receiver of Object.keys(problem.sides))
    for (const say of [tellTaken, handOver, tell]) {
      const told = say(problem, receiver, facts);
      problem = told.problem;
      due = Math.min(due, told.due);
      if (told.draft) drafts.push(told.draft);
    }
  problem = withStandings(problem, drafts.filter(isAboutFirings), facts);
  const closing = closesAt(problem, facts);
  const closed = closing <= facts.now ? facts.now : null;
  due = Math.min(due, closing, nextStep(problem, facts), settling(problem, facts), nextQuiet(problem, facts));
  return { problem: { ...problem, closed, due: closed === null && due < NEVER ? due : null }, drafts };
}

/**
 * Replaces future times, which remain after a clock was set back, with the present time. The change is stored, since everything
 * that waits for an interval after such a time would otherwise be delayed again and again.
 */
function notAhead(problem: Problem, now: number): Problem {
  const past = <T extends object, K extends keyof T>(given: T, key: K): T =>
    Number(given[key]) > now ? { ...given, [key]: now } : given;
  const ofReceivers = <T extends object>(all: Record<string, T>, change: (one: T) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(all).map(([receiver, one]) => [receiver, change(one)]));
  const members = problem.members.map((member) => {
    const told = ofReceivers(member.told, (mark) => past(past(mark, "first"), "last"));
    return { ...past(past(past(member, "free"), "ended"), "taken"), told };
  });
  const sides = ofReceivers(problem.sides, (side) => past(past(past(side, "last"), "late"), "acknowledged"));
  return { ...past(problem, "opened"), members, sides };
}

/** Whether a notice is about firings; the others report an acknowledgement, or inform the person on duty. */
const isAboutFirings = ({ acknowledged, hand_over }: Draft): boolean => !acknowledged && !hand_over;

/** The next time at which flapping can be over. */
const settling = ({ members }: Problem, { sights }: Facts): number =>
  Math.min(NEVER, ...members.map(({ invocation, flap }) => settlesAt(flap, sights.get(invocation) ?? {})));

/**
 * Unix seconds at which the problem closes: one group interval after all ends were reported or need not be, so that a new firing
 * can join until then.
 */
function closesAt(problem: Problem, facts: Facts): number {
  const listed = facts.digestDue
    ? new Set(receivers(problem, facts).flatMap((id) => briefOf(problem, id, facts)))
    : NONE;
  const isOpen = (member: Member): boolean =>
    isLive(member) || member.question === true || listed.has(member) || isOwed(problem, member, facts);
  if (problem.members.some(isOpen)) return NEVER;
  const ends = problem.members.map(({ ended = 0 }) => ended);
  return Math.max(problem.opened, ...ends) + facts.timing.group_interval;
}

const NONE: ReadonlySet<Member> = new Set();

/** Receivers that can be notified. */
const receivers = ({ sides }: Problem, { unreachable }: Facts): string[] =>
  Object.entries(sides).flatMap(([receiver, { duty }]) => (unreachable(receiver, duty) ? [] : receiver));

function isOwed(problem: Problem, member: Member, facts: Facts): boolean {
  if (facts.timing.clear === "none") return false;
  return receivers(problem, facts).some(
    (receiver) => isUncleared(member, receiver) && !endUntold(member, receiver, facts),
  );
}
