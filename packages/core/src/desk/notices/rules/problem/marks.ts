import type { Member, Notice, Problem, ToldMark } from "../../model.ts";
import { type Facts, isFree, NEVER } from "./facts.ts";

type Named = Pick<Notice, "id" | "receiver" | "new" | "repeated" | "over" | "brief">;

const changed = (problem: Problem, ids: readonly string[], change: (member: Member) => Member): Problem => ({
  ...problem,
  members: problem.members.map((member) => (ids.includes(member.invocation) ? change(member) : member)),
});

/** Undoes the marks of a notice that was never sent: its new firings count as unreported again. */
export const withoutNotice = (problem: Problem, { receiver, new: fresh, brief = [] }: Named): Problem =>
  changed(problem, [...fresh, ...brief], (member) => untold(member, receiver));

function untold({ told, ...member }: Member, receiver: string): Member {
  const { [receiver]: _mark, ...others } = told;
  return { ...member, told: others };
}

/** Marks a notice that did not arrive: its new firings count as unreported, and are reported at the next repetition. */
export function withFailed(problem: Problem, notice: Named & Pick<Notice, "date">, now: number): Problem {
  const { id, receiver, date, brief = [] } = notice;
  const by = { kind: "delivery", id, title: "" } as const;
  const failed = changed(problem, notice.new, (member) => ({
    ...member,
    // Steps are timed from the decision, even if the attempts took long.
    told: { ...member.told, [receiver]: { first: date, last: now, count: 0, failed: true } },
    standing: { ...member.standing, [receiver]: { verdict: "failed", by, notice: id, from: now } },
  }));
  return { ...changed(failed, brief, (member) => untold(member, receiver)), due: now };
}

/**
 * Merges in the mark of a receiver that is notified under another id as well, so that notices under either id count for both.
 * `twin` is the mark of the other id; undefined = nothing was sent under it.
 */
export function withTwin(member: Member, receiver: string, twin: ToldMark | undefined): Member {
  const { [receiver]: own, ...others } = member.told;
  const mark = joint(own, twin);
  if (mark === own) return member;
  return { ...member, told: mark ? { ...others, [receiver]: mark } : others };
}

function joint(own: ToldMark | undefined, twin: ToldMark | undefined): ToldMark | undefined {
  // A notice that failed under one id does not count for the other, which still sends its own.
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

/** A minute minus the interval of looks and the jitter of samples, in seconds. */
const FREE_SEC = 45;

const isQuiet = ({ invocation }: Member, { sights }: Pick<Facts, "sights">): boolean =>
  sights.get(invocation)?.isQuiet === true;

/** Whether receivers are notified of a firing, and not only of its end. */
export const isHeard = (member: Member, facts: Pick<Facts, "sights">): boolean => !isQuiet(member, facts);

/** Unix seconds at which a firing counts as reported although only its end will be: after it was free for about a minute. */
const heardAt = (member: Member, receiver: string, facts: Pick<Facts, "sights">): number =>
  isFree(member) && isQuiet(member, facts) && !member.told[receiver] ? (member.free ?? NEVER) + FREE_SEC : NEVER;

/** Marks firings as reported for receivers that are notified only of their ends; a count of 0 shows that nothing was sent. */
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

/** The next time at which `heardQuietly` marks a firing. */
export const nextQuiet = ({ members, sides }: Problem, facts: Pick<Facts, "sights">): number =>
  Math.min(
    NEVER,
    ...Object.keys(sides).flatMap((receiver) => members.map((member) => heardAt(member, receiver, facts))),
  );
