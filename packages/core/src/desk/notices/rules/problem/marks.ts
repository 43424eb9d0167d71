import type { Member, Notice, Problem, ToldMark } from "../../model.ts";
import { type Facts, isFree, NEVER } from "./facts.ts";

type Named = Pick<Notice, "id" | "receiver" | "new" | "repeated" | "over" | "brief">;

const changed = (problem: Problem, ids: readonly string[], change: (member: Member) => Member): Problem => ({
  ...problem,
  members: problem.members.map((member) => (ids.includes(member.invocation) ? change(member) : member)),
});

/** The problem as if a notice that was never sent had not been: its new firings are untold again. */
export const withoutNotice = (problem: Problem, { receiver, new: fresh, brief = [] }: Named): Problem =>
  changed(problem, [...fresh, ...brief], (member) => untold(member, receiver));

function untold({ told, ...member }: Member, receiver: string): Member {
  const { [receiver]: _mark, ...others } = told;
  return { ...member, told: others };
}

/** A notice that did not arrive: its new firings count as untold, and are told again at the next repetition. */
export function withFailed(problem: Problem, notice: Named & Pick<Notice, "date">, now: number): Problem {
  const { id, receiver, date, brief = [] } = notice;
  const by = { kind: "delivery", id, title: "" } as const;
  const failed = changed(problem, notice.new, (member) => ({
    ...member,
    // Steps count from the decision, even if the attempts went on for long.
    told: { ...member.told, [receiver]: { first: date, last: now, count: 0, failed: true } },
    standing: { ...member.standing, [receiver]: { verdict: "failed", by, notice: id, from: now } },
  }));
  return { ...changed(failed, brief, (member) => untold(member, receiver)), due: now };
}

/**
 * The firing as known to a receiver that is told under another id too: notices under one id count for the other.
 * `twin` is the mark of the other id; undefined = it was not told.
 */
export function withTwin(member: Member, receiver: string, twin: ToldMark | undefined): Member {
  const { [receiver]: own, ...others } = member.told;
  const mark = joint(own, twin);
  if (mark === own) return member;
  return { ...member, told: mark ? { ...others, [receiver]: mark } : others };
}

function joint(own: ToldMark | undefined, twin: ToldMark | undefined): ToldMark | undefined {
  // A notice that failed under one id is left to the other.
  if (!twin || twin.failed || twin.count === 0) return own?.twin ? undefined : own;
  if (!own || own.failed) return twin.twin ? own : borrowed(twin);
  const last = Math.max(own.last, twin.last);
  const cleared = own.cleared ?? twin.cleared;
  if (last === own.last && cleared === own.cleared) return own;
  return { ...own, last, ...(cleared === undefined ? {} : { cleared }) };
}

function borrowed({ flap: _theirs, ...mark }: ToldMark): ToldMark {
  return { ...mark, twin: true };
}

/** A minute, less the time in which firings are looked at and the jitter of samples. Seconds. */
const FREE_SEC = 45;

const isQuiet = ({ invocation }: Member, { sights }: Pick<Facts, "sights">): boolean =>
  sights.get(invocation)?.isQuiet === true;

/** Whether receivers hear news of a firing, and not of its end alone. */
export const isHeard = (member: Member, facts: Pick<Facts, "sights">): boolean => !isQuiet(member, facts);

/** Unix seconds at which a firing of which the end alone is told counts as told: once it was free for a minute. */
const heardAt = (member: Member, receiver: string, facts: Pick<Facts, "sights">): number =>
  isFree(member) && isQuiet(member, facts) && !member.told[receiver] ? (member.free ?? NEVER) + FREE_SEC : NEVER;

/** The problem with firings that count as told to receivers who are told of ends alone; a count of 0 says that nothing was sent. */
export function heardQuietly(problem: Problem, facts: Pick<Facts, "sights" | "now">): Problem {
  if (!problem.members.some((member) => isQuiet(member, facts))) return problem;
  const { now } = facts;
  const members = problem.members.map((member) => {
    const due = Object.keys(problem.sides).filter((receiver) => heardAt(member, receiver, facts) <= now);
    const marks = due.map((receiver) => [receiver, { first: now, last: now, count: 0 }] as const);
    return due.length === 0 ? member : { ...member, told: { ...member.told, ...Object.fromEntries(marks) } };
  });
  return { ...problem, members };
}

/** The next time at which a firing counts as told in that way. */
export const nextQuiet = ({ members, sides }: Problem, facts: Pick<Facts, "sights">): number =>
  Math.min(
    NEVER,
    ...Object.keys(sides).flatMap((receiver) => members.map((member) => heardAt(member, receiver, facts))),
  );
