import type { Member, NoticeHold, Problem } from "../../model.ts";
import { type Draft, type Facts, flapOf, isFree, isLive, isUncleared, NEVER, worst } from "./facts.ts";
import { isHeard } from "./marks.ts";

/** What there is to be told to one receiver, and when at the earliest. */
interface Agenda {
  /** Free and never told. */
  readonly fresh: readonly Member[];
  /** Told, and due again. */
  readonly again: readonly Member[];
  /** Told, and since then they began or ceased to flap. */
  readonly turned: readonly Member[];
  /** Ended since they were told. */
  readonly over: readonly Member[];
  /** Unix seconds. */
  readonly due: number;
}

export interface Told {
  readonly problem: Problem;
  readonly draft?: Draft;
  /** Unix seconds of the next time that something can happen for this receiver by itself. */
  readonly due: number;
}

/** At most one notice to one receiver about one problem. */
export function tell(problem: Problem, receiver: string, facts: Facts): Told {
  const agenda = agendaOf(problem, receiver, facts);
  const { due } = agenda;
  if (due > facts.now) return { problem, due };
  const obstacle = obstacleOf(agenda, problem, receiver, facts);
  if (obstacle) return { problem, due: Math.max(obstacle.until ?? NEVER, facts.now + 1) };
  const draft = draftOf(agenda, problem, receiver, facts);
  const told = marked(problem, draft, facts.now);
  return { problem: told, draft, due: agendaOf(told, receiver, facts).due };
}

/** What keeps a notice from a receiver when its time has come; clearings alone pass when there were too many. */
export function obstacleOf(
  { fresh, again, turned }: Pick<Agenda, "fresh" | "again" | "turned">,
  problem: Problem,
  receiver: string,
  { closed, full, unreachable }: Facts,
): NoticeHold | undefined {
  const news = [...fresh, ...again, ...turned];
  const isNews = news.length > 0 || Boolean(problem.sides[receiver]?.escalate);
  return unreachable(receiver) ?? closed ?? (isNews ? full(receiver, worst(news) ?? problem.severity) : undefined);
}

export function agendaOf(problem: Problem, receiver: string, facts: Facts): Agenda {
  const { now, timing } = facts;
  const side = problem.sides[receiver];
  const free = problem.members.filter((member) => isFree(member) && isHeard(member, facts));
  const isTold = ({ told }: Member): boolean => told[receiver] !== undefined;
  const fresh = free.filter((member) => !isTold(member));
  const turned = free.filter((member) => hasTurned(member, receiver));
  const over = problem.members.filter((member) => isOver(member, receiver, facts));
  const dues = {
    fresh: freshDue([...fresh, ...turned], side?.last, facts),
    again: againDue(free.filter(isTold), receiver, facts),
    over: overDue(problem, over, side?.last, facts),
    escalation: side?.escalate && free.length > 0 ? now : NEVER,
  };
  const isEscalated = dues.escalation <= now;
  // With one due, all that are due soon join.
  const soon = dues.again <= now ? now + timing.group_interval : NEVER * -1;
  const again = free.filter(
    (member) =>
      isTold(member) && !turned.includes(member) && (isEscalated || repeatAt(member, receiver, facts) <= soon),
  );
  const plain = Math.min(...Object.values(dues));
  if (!facts.digestDue) return { fresh, again, turned, over, due: plain };
  const isDue =
    fresh.length + again.length + turned.length + over.length > 0 && facts.digestDue(side?.last ?? problem.opened);
  return { fresh, again, turned, over, due: isDue ? now : dues.escalation };
}

function hasTurned(member: Member, receiver: string): boolean {
  const mark = member.told[receiver];
  return mark !== undefined && !mark.failed && mark.flap !== flapOf(member);
}

const isOver = (member: Member, receiver: string, { sights, timing }: Facts): boolean =>
  !isLive(member) &&
  !member.question &&
  timing.clear !== "none" &&
  isUncleared(member, receiver) &&
  !sights.get(member.invocation)?.endHold &&
  !sights.get(member.invocation)?.endsUntold;

function freshDue(fresh: readonly Member[], last: number | undefined, { timing, now }: Facts): number {
  if (fresh.length === 0) return NEVER;
  const waited = Math.min(...fresh.map(({ free = now }) => free)) + timing.group_wait;
  return last === undefined ? waited : Math.max(waited, last + timing.group_interval);
}

const repeatAt = ({ told }: Member, receiver: string, { timing, now }: Facts): number =>
  timing.repeat_interval === 0 ? NEVER : Math.min(told[receiver]?.last ?? now, now) + timing.repeat_interval;

const againDue = (told: readonly Member[], receiver: string, facts: Facts): number =>
  Math.min(NEVER, ...told.map((member) => repeatAt(member, receiver, facts)));

/** One notice for all ends once nothing is live; before that, ends ride along with other notices. */
function overDue(problem: Problem, over: readonly Member[], last: number | undefined, { timing }: Facts): number {
  const ends = over.map(({ ended = 0 }) => ended);
  if (ends.length === 0) return NEVER;
  if (!problem.members.some(isLive)) return Math.max(...ends) + timing.group_wait;
  return timing.clear === "each"
    ? Math.max(Math.min(...ends) + timing.group_wait, (last ?? 0) + timing.group_interval)
    : NEVER;
}

function draftOf({ fresh, again, turned, over }: Agenda, problem: Problem, receiver: string, facts: Facts): Draft {
  const side = problem.sides[receiver];
  const named = new Set([...fresh, ...again, ...turned, ...over]);
  // What ended for want of data is neither live nor over.
  const still = problem.members.filter((member) => (isLive(member) || member.question) && !named.has(member));
  return {
    id: facts.newId(),
    receiver,
    seq: (side?.seq ?? 0) + 1,
    kind: kindOf({ fresh, again, turned }, problem, { receiver, isDigest: facts.digestDue !== undefined }),
    severity: worst([...fresh, ...again, ...turned, ...still.filter(isLive)]) ?? worst(over) ?? problem.severity,
    new: idsOf(fresh),
    repeated: idsOf([...turned, ...again]),
    over: idsOf(over),
    still: idsOf(still),
  };
}

const idsOf = (members: readonly Member[]): string[] => members.map(({ invocation }) => invocation);

function kindOf(
  { fresh, again, turned }: Pick<Agenda, "fresh" | "again" | "turned">,
  problem: Problem,
  { receiver, isDigest }: { readonly receiver: string; readonly isDigest: boolean },
): Draft["kind"] {
  const side = problem.sides[receiver];
  if (!problem.members.some(isLive)) return "cleared";
  if (side?.escalate) return "escalation";
  if (isDigest) return "digest";
  if ([...fresh, ...turned].some((member) => flapOf(member) !== undefined)) return "flapping";
  if (fresh.length > 0) return side?.last === undefined ? "firing" : "update";
  if (turned.length > 0) return "settled";
  return again.length > 0 ? "repeat" : "update";
}

/** The problem with what a notice says noted in its members. */
function marked(problem: Problem, draft: Draft, now: number): Problem {
  const { receiver, seq } = draft;
  const [fresh, again, over] = [new Set(draft.new), new Set(draft.repeated), new Set(draft.over)];
  const members = problem.members.map((member) => {
    const mark = member.told[receiver];
    const note = (next: Member["told"][string]): Member => ({ ...member, told: { ...member.told, [receiver]: next } });
    const since = flapOf(member);
    const flap = since === undefined ? {} : { flap: since };
    if (fresh.has(member.invocation)) return note({ first: now, last: now, count: 1, ...flap });
    if (!mark) return member;
    if (over.has(member.invocation)) return note({ ...mark, cleared: now });
    return again.has(member.invocation)
      ? note({ first: mark.first, last: now, count: mark.count + 1, ...flap })
      : member;
  });
  return { ...problem, members, sides: { ...problem.sides, [receiver]: { seq, last: now } } };
}
