import type { Member, NoticeHold, Problem, Side } from "../../model.ts";
import { briefOf } from "../members/brief.ts";
import { isLateEnd } from "../members/late-end.ts";
import { withPerson } from "../people/duty.ts";
import {
  type Draft,
  endUntold,
  type Facts,
  flapOf,
  isFree,
  isLive,
  isNamed,
  isUncleared,
  NEVER,
  worst,
} from "./facts.ts";
import { isHeard } from "./marks.ts";

/** News for one receiver, with the earliest time to send it. */
interface Agenda {
  /** Free firings that were never reported. */
  readonly fresh: readonly Member[];
  /** Reported firings that are due for a repetition. */
  readonly again: readonly Member[];
  /** Reported firings that have begun or ceased to flap since. */
  readonly turned: readonly Member[];
  /** Reported firings that have ended since. */
  readonly over: readonly Member[];
  /** Firings that ended before their notice. They are added to other notices, and suffice for a digest. */
  readonly brief: readonly Member[];
  /** Unix seconds at which ends are due even without other news. */
  readonly ends: number;
  /** Unix seconds. */
  readonly due: number;
}

export interface Told {
  readonly problem: Problem;
  readonly draft?: Draft;
  /** Unix seconds of the next time at which something can change for this receiver without a new firing. */
  readonly due: number;
}

/** Decides on a notice to one receiver about one problem; at most one notice at a time. */
export function tell(problem: Problem, receiver: string, facts: Facts): Told {
  const agenda = agendaOf(problem, receiver, facts);
  const { due } = agenda;
  if (due > facts.now) return { problem, due };
  const obstacle = obstacleOf(agenda, problem, receiver, facts);
  if (obstacle) return putOff(agenda, obstacle, { problem, receiver, facts });
  const draft = draftOf(agenda, problem, receiver, facts);
  const told = marked(problem, draft, facts);
  return { problem: told, draft, due: agendaOf(told, receiver, facts).due };
}

interface About {
  readonly problem: Problem;
  readonly receiver: string;
  readonly facts: Facts;
}

/** Delays a notice until its obstacle is gone. Ends are sent in spite of the hourly bound. */
function putOff(agenda: Agenda, { kind, until = NEVER }: NoticeHold, about: About): Told {
  const { now } = about.facts;
  const ends = kind === "rate" ? agenda.ends : NEVER;
  const told = ends <= now ? tellEnds(agenda, about) : { problem: about.problem };
  return { ...told, due: Math.min(Math.max(until, now + 1), ends > now ? ends : NEVER) };
}

/** Sends only ends while new firings must wait; a step that has begun waits together with the firings. */
function tellEnds(agenda: Agenda, { problem, receiver, facts }: About): Omit<Told, "due"> {
  const { escalate, ...side } = problem.sides[receiver] ?? { seq: 0 };
  const calm = { ...problem, sides: { ...problem.sides, [receiver]: side } };
  const draft = draftOf({ ...agenda, fresh: [], again: [], turned: [] }, calm, receiver, facts);
  const told = marked(calm, draft, facts);
  const waiting = { ...(told.sides[receiver] ?? side), ...(escalate ? { escalate } : {}) };
  return { problem: { ...told, sides: { ...told.sides, [receiver]: waiting } }, draft };
}

/** The hold that keeps a due notice from a receiver. The hourly bound does not apply to ends. */
export function obstacleOf(
  { fresh, again, turned }: Pick<Agenda, "fresh" | "again" | "turned">,
  problem: Problem,
  receiver: string,
  facts: Facts,
): NoticeHold | undefined {
  const { closed, full, unreachable } = facts;
  const news = [...fresh, ...again, ...turned];
  const { escalate, duty } = problem.sides[receiver] ?? {};
  const isNews = news.length > 0 || (escalate === true && problem.members.some((member) => isTellable(member, facts)));
  return (
    unreachable(receiver, isNews ? [] : duty) ??
    closed ??
    (isNews ? full(receiver, worst(news) ?? problem.severity) : undefined)
  );
}

const isTellable = (member: Member, facts: Facts): boolean => isFree(member) && isHeard(member, facts);

export function agendaOf(problem: Problem, receiver: string, facts: Facts): Agenda {
  const { now, timing } = facts;
  const side = problem.sides[receiver];
  const live = isNamed(receiver, facts) ? problem.members : [];
  const free = live.filter((member) => isTellable(member, facts));
  const isTold = ({ told }: Member): boolean => told[receiver] !== undefined;
  const fresh = free.filter((member) => !isTold(member));
  const turned = free.filter((member) => hasTurned(member, receiver));
  const over = problem.members.filter((member) => isOver(member, receiver, facts));
  const brief = briefOf(problem, receiver, facts);
  const dues = {
    fresh: freshDue([...fresh, ...turned], side, facts),
    again: againDue(free.filter(isTold), receiver, facts),
    over: overDue(problem, over, side?.last, facts),
    escalation: side?.escalate && free.length > 0 ? now : NEVER,
  };
  const isEscalated = dues.escalation <= now;
  // When one firing is due, all that are due within the group interval join it.
  const soon = dues.again <= now ? now + timing.group_interval : NEVER * -1;
  const again = free.filter(
    (member) =>
      isTold(member) && !turned.includes(member) && (isEscalated || repeatAt(member, receiver, facts) <= soon),
  );
  const plain = Math.min(...Object.values(dues));
  const told = { fresh, again, turned, over, brief };
  if (!facts.digestDue) return { ...told, ends: dues.over, due: plain };
  const isDue =
    Object.values(told).some((members) => members.length > 0) && facts.digestDue(side?.last ?? problem.opened);
  return { ...told, ends: isDue && over.length > 0 ? now : NEVER, due: isDue ? now : dues.escalation };
}

function hasTurned(member: Member, receiver: string): boolean {
  const mark = member.told[receiver];
  return mark !== undefined && !mark.failed && mark.flap !== flapOf(member);
}

const isOver = (member: Member, receiver: string, facts: Facts): boolean =>
  !isLive(member) &&
  !member.question &&
  facts.timing.clear !== "none" &&
  isUncleared(member, receiver) &&
  !facts.sights.get(member.invocation)?.endHold &&
  !endUntold(member, receiver, facts);

function freshDue(fresh: readonly Member[], side: Side | undefined, { timing, now }: Facts): number {
  const { last, late = 0 } = side ?? {};
  if (fresh.length === 0) return NEVER;
  // Future times, which remain after the clock was set back, count as now.
  const free = Math.min(now, ...fresh.map((member) => member.free ?? now));
  const waited = Math.max(free, Math.min(late, now)) + timing.group_wait;
  return last === undefined ? waited : Math.max(waited, Math.min(last, now) + timing.group_interval);
}

const repeatAt = ({ told }: Member, receiver: string, { timing, now }: Facts): number =>
  timing.repeat_interval === 0 ? NEVER : Math.min(told[receiver]?.last ?? now, now) + timing.repeat_interval;

const againDue = (told: readonly Member[], receiver: string, facts: Facts): number =>
  Math.min(NEVER, ...told.map((member) => repeatAt(member, receiver, facts)));

/** Ends are sent in one notice once nothing is live; before that, they are added to other notices. */
function overDue(problem: Problem, over: readonly Member[], last = 0, { timing, now }: Facts): number {
  const ends = over.map(({ ended = 0 }) => Math.min(ended, now));
  if (ends.length === 0) return NEVER;
  if (!problem.members.some(isLive)) return Math.max(...ends) + timing.group_wait;
  return timing.clear === "each"
    ? Math.max(Math.min(...ends) + timing.group_wait, Math.min(last, now) + timing.group_interval)
    : NEVER;
}

function draftOf(
  { fresh, again, turned, over, brief }: Agenda,
  problem: Problem,
  receiver: string,
  facts: Facts,
): Draft {
  const side = problem.sides[receiver];
  const named = new Set([...fresh, ...again, ...turned, ...over]);
  // A firing that ended for missing data is neither live nor over, so it is listed as still firing.
  const still = problem.members.filter((member) => (isLive(member) || member.question) && !named.has(member));
  const kind = kindOf({ fresh, again, turned, over }, problem, { receiver, facts });
  const isEnd = !problem.members.some(isLive) && over.length > 0;
  const former = isEnd ? (side?.duty ?? []).filter((name) => name !== facts.onDuty(receiver)) : [];
  return {
    id: facts.newId(),
    receiver,
    seq: (side?.seq ?? 0) + 1,
    kind,
    severity:
      worst([...fresh, ...again, ...turned, ...still.filter(isLive)]) ?? worst([...over, ...brief]) ?? problem.severity,
    new: idsOf(fresh),
    repeated: idsOf([...turned, ...again]),
    over: idsOf(over),
    still: idsOf(still),
    ...(brief.length > 0 ? { brief: idsOf(brief) } : {}),
    ...(former.length > 0 ? { former } : {}),
  };
}

export const idsOf = (members: readonly Member[]): string[] => members.map(({ invocation }) => invocation);

function kindOf(
  { fresh, again, turned, over }: Pick<Agenda, "fresh" | "again" | "turned" | "over">,
  problem: Problem,
  { receiver, facts }: { readonly receiver: string; readonly facts: Facts },
): Draft["kind"] {
  const isDigest = facts.digestDue !== undefined;
  const isLate = areLate(over, problem, { receiver, facts });
  const side = problem.sides[receiver];
  // A digest may list nothing except firings that ended before their notice or long ago.
  if (!problem.members.some(isLive)) return (isDigest && over.length === 0) || isLate ? "digest" : "cleared";
  if (side?.escalate) return "escalation";
  if (isDigest) return "digest";
  if ([...fresh, ...turned].some((member) => flapOf(member) !== undefined)) return "flapping";
  if (fresh.length > 0) return kindOfNews(fresh, receiver, side);
  if (turned.length > 0) return "settled";
  if (again.length > 0) return "repeat";
  return isLate ? "digest" : "update";
}

/** Whether all ends were delayed for long. Services that keep states, and actions, need an end as such at any time. */
const areLate = (
  over: readonly Member[],
  { title }: Pick<Problem, "title">,
  { receiver, facts: { keepsState, now } }: { readonly receiver: string; readonly facts: Facts },
): boolean =>
  title === undefined &&
  over.length > 0 &&
  !keepsState(receiver) &&
  over.every((member) => isLateEnd(member, receiver, now));

/** Kind of a notice about new firings; it is a digest for several that waited for the hours of the route. */
function kindOfNews(fresh: readonly Member[], receiver: string, side: Side | undefined): Draft["kind"] {
  if (fresh.filter(({ standing }) => standing[receiver]?.by?.kind === "hours").length > 1) return "digest";
  return side?.last === undefined && side?.late === undefined ? "firing" : "update";
}

/** Marks the notice in the members of the problem. */
function marked(problem: Problem, draft: Draft, { now, onDuty }: Facts): Problem {
  const { receiver, seq } = draft;
  const { escalate: _begun, ...side } = problem.sides[receiver] ?? {};
  const [fresh, again, over] = [new Set(draft.new), new Set(draft.repeated), new Set(draft.over)];
  const brief = new Set(draft.brief);
  const members = problem.members.map((member) => {
    const mark = member.told[receiver];
    const note = (next: Member["told"][string]): Member => ({ ...member, told: { ...member.told, [receiver]: next } });
    const since = flapOf(member);
    const flap = since === undefined ? {} : { flap: since };
    if (fresh.has(member.invocation)) return note({ first: now, last: now, count: 1, ...flap });
    if (brief.has(member.invocation)) return note({ first: now, last: now, count: 1, cleared: now });
    if (!mark) return member;
    if (over.has(member.invocation)) return note({ ...mark, cleared: now });
    return again.has(member.invocation)
      ? note({ first: mark.first, last: now, count: mark.count + 1, ...flap })
      : member;
  });
  const told = { ...side, ...withPerson(side, onDuty(receiver)), seq, last: now };
  return { ...problem, members, sides: { ...problem.sides, [receiver]: told } };
}
