import type { Member, Problem, Route, Side } from "../../model.ts";
import { type Facts, isLive, isTaken, NEVER } from "../problem/facts.ts";

const MINUTE = 60;

const firstTold = ({ told }: Pick<Member, "told">): number =>
  Math.min(NEVER, ...Object.values(told).map(({ first }) => first));

/**
 * Unix seconds from which steps are timed: the first notice of the oldest live firing without an acknowledgement, plus the
 * seconds for which revoked acknowledgements were in force. Undefined = the steps stand still.
 */
export function clockOf(members: readonly Member[]): number | undefined {
  const open = members.filter((member) => isLive(member) && !isTaken(member));
  const clock = Math.min(NEVER, ...open.map((member) => firstTold(member) + (member.paused ?? 0)));
  return clock < NEVER ? clock : undefined;
}

/** Updates for how long acknowledgements of the member have paused the steps. */
export function standStill(member: Member, now: number): Member {
  const { taken, ...open } = member;
  const first = firstTold(member);
  if (isTaken(member)) return taken === undefined && first < NEVER ? { ...member, taken: now } : member;
  if (taken === undefined) return member;
  return { ...open, paused: (open.paused ?? 0) + Math.max(0, now - Math.max(taken, first)) };
}

/** Seconds from `clockOf` to a step, counted over all rounds; undefined = there is no such step. */
function stepAt({ steps, loop }: Pick<Route, "steps" | "loop">, index: number): number | undefined {
  const round = Math.floor(index / steps.length);
  const step = steps[index % steps.length];
  if (!step || round > loop) return undefined;
  return (round * periodOf(steps) + step.after) * MINUTE;
}

/** Length of a round in minutes: the time of its last step, plus another time the interval between the last two steps. */
function periodOf(steps: Route["steps"]): number {
  const last = steps.at(-1)?.after ?? 0;
  return last + Math.max(last - (steps.at(-2)?.after ?? 0), 1);
}

/**
 * Begins the due steps. A step without a reachable receiver is followed by the next one at once. So is a step whose notices
 * nobody reads now, if a later step of the round would be read; otherwise the steps keep their times, as somebody may be there by
 * then.
 */
export function startSteps(given: Problem, facts: Facts): Problem {
  const { timing, now, unreachable } = facts;
  const problem = { ...given, steps: isAnew(given) ? 1 : given.steps };
  const sides: Record<string, Side> = { ...problem.sides };
  // A changed route can add receivers to steps that have already begun.
  for (const receiver of namedSoFar(problem, timing)) sides[receiver] ??= { seq: 0, late: now };
  let index = problem.steps;
  for (let isReached = index === 0 || isDue(problem, facts); isReached; ) {
    const step = timing.steps[index % timing.steps.length];
    if (!step || stepAt(timing, index) === undefined) break;
    const able = step.to.filter((receiver) => unreachable(receiver) === undefined);
    for (const receiver of step.to) sides[receiver] = begun(sides[receiver], index > 0 && able.includes(receiver));
    index++;
    isReached = isPassedBy(able, index, facts) || isDue({ ...problem, steps: index }, { timing, now });
  }
  return { ...problem, sides, steps: index };
}

/** Whether the step at `index` begins together with the previous one. `able`: reachable receivers of the previous step. */
function isPassedBy(able: readonly string[], index: number, facts: Facts): boolean {
  const { timing, isUnheard = () => false, unreachable } = facts;
  if (able.length === 0 || !able.every(isUnheard)) return able.length === 0;
  const at = index % timing.steps.length;
  const rest = at === 0 ? [] : timing.steps.slice(at).flatMap(({ to }) => to);
  return rest.some((receiver) => unreachable(receiver) === undefined && !isUnheard(receiver));
}

/** Whether a new firing restarts the steps, because all reported firings are acknowledged. */
function isAnew({ members, steps }: Problem): boolean {
  const live = members.filter(isLive);
  const told = live.filter((member) => Object.keys(member.told).length > 0);
  return steps > 1 && told.length > 0 && told.length < live.length && told.every(isTaken);
}

const namedSoFar = ({ steps: begun }: Problem, { steps }: Pick<Route, "steps">): string[] =>
  begun === 0 ? [] : steps.slice(0, begun).flatMap(({ to }) => to);

const begun = (side: Side | undefined, escalates: boolean): Side => ({
  ...(side ?? { seq: 0 }),
  ...(escalates ? { escalate: true } : {}),
});

const isDue = (problem: Pick<Problem, "members" | "steps">, facts: Pick<Facts, "timing" | "now">): boolean =>
  nextStep(problem, facts) <= facts.now;

/** Unix seconds at which the next step begins unless a person acknowledges. */
export function nextStep({ members, steps }: Pick<Problem, "members" | "steps">, { timing }: Pick<Facts, "timing">) {
  const clock = clockOf(members);
  const after = stepAt(timing, steps);
  return clock === undefined || after === undefined ? NEVER : clock + after;
}

/** How far a problem is in the steps of its route. */
export interface Progress {
  /** Unix seconds from which steps are timed; null = they stand still. */
  readonly clock: number | null;
  /** Index of the latest step that has begun in its round; null = none has begun. */
  readonly step: number | null;
  /** Round, counted from 0. */
  readonly round: number;
}

export function progressOf({ members, steps }: Pick<Problem, "members" | "steps">, length: number): Progress {
  const last = steps - 1;
  const clock = clockOf(members) ?? null;
  return last < 0 || length === 0
    ? { clock, step: null, round: 0 }
    : { clock, step: last % length, round: Math.floor(last / length) };
}
