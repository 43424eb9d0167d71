import type { Member, NoticeHold, Problem, Standpoint } from "../../model.ts";
import { waitedFor } from "../members/brief.ts";
import { type Draft, endUntold, type Facts, isLive, isNamed, isUncleared } from "./facts.ts";
import { isHeard } from "./marks.ts";
import { agendaOf, obstacleOf } from "./tell.ts";

/** Adds the current decision about each firing and receiver, so that people can ask for the reason. */
export function withStandings(problem: Problem, drafts: readonly Draft[], facts: Facts): Problem {
  const sides = Object.keys(problem.sides).map((receiver) => askedOf(problem, { receiver, drafts, facts }));
  const members = problem.members.map((member) => {
    const standing: Record<string, Standpoint> = { ...member.standing };
    for (const asked of sides) {
      const next = standpointOf(member, asked);
      const known = standing[asked.receiver];
      if (next && (!known || isAnother(known, next))) standing[asked.receiver] = { ...next, from: facts.now };
      else if (known && next?.by) standing[asked.receiver] = refreshed(known, next);
    }
    return { ...member, standing };
  });
  return { ...problem, members };
}

/** The same decision with its current holds. */
const refreshed = ({ also: _before, ...known }: Standpoint, { by, also }: Omit<Standpoint, "from">): Standpoint => ({
  ...known,
  by,
  ...(also ? { also } : {}),
});

const isAnother = (known: Standpoint, next: Omit<Standpoint, "from">): boolean =>
  known.verdict !== next.verdict ||
  known.by?.kind !== next.by?.kind ||
  known.by?.id !== next.by?.id ||
  (next.notice !== undefined && known.notice !== next.notice);

interface Asked {
  readonly receiver: string;
  readonly facts: Facts;
  /** The notice to the receiver that this decision sends, and the firings that it names. */
  readonly draft: Draft | undefined;
  readonly named: ReadonlySet<string>;
  /** The reason why the receiver cannot be notified of anything, not even ends. */
  readonly gone: NoticeHold | undefined;
  /** The hold on news for the receiver. */
  readonly wait: () => NoticeHold;
}

/** Computed once for all firings of the problem, since there may be a thousand. */
function askedOf(
  problem: Problem,
  { receiver, drafts, facts }: Pick<Asked, "receiver" | "facts"> & { readonly drafts: readonly Draft[] },
): Asked {
  const draft = drafts.find((each) => each.receiver === receiver);
  let hold: NoticeHold | undefined;
  const wait = (): NoticeHold => {
    hold ??= waitOf(problem, receiver, facts);
    return hold;
  };
  const named = new Set(draft ? [...draft.new, ...draft.repeated, ...draft.over, ...(draft.brief ?? [])] : []);
  const gone = facts.unreachable(receiver, problem.sides[receiver]?.duty);
  return { receiver, facts, draft, named, gone, wait };
}

/** The decision about a firing; undefined = unchanged. */
function standpointOf(member: Member, asked: Asked): Omit<Standpoint, "from"> | undefined {
  const { receiver, draft, facts, named, wait } = asked;
  const { invocation, told } = member;
  if (draft && named.has(invocation)) return { verdict: "told", notice: draft.id };
  if (!isLive(member)) return endOf(member, asked);
  if (member.hold) return { verdict: "held", by: member.hold, ...(member.also ? { also: member.also } : {}) };
  if (!isHeard(member, facts)) return { verdict: "none", by: ENDS_ALONE };
  const mark = told[receiver];
  if (mark) return mark.failed ? undefined : { verdict: "told" };
  return { verdict: "held", by: wait() };
}

function endOf(member: Member, { receiver, facts, gone }: Asked): Omit<Standpoint, "from"> | undefined {
  const { closed, sights, timing } = facts;
  const sight = sights.get(member.invocation);
  if (member.question) return { verdict: "held", by: { kind: "no_data", id: member.server, title: "" } };
  const mark = member.told[receiver];
  if (!mark || mark.failed)
    return { verdict: "none", by: { kind: "brief", id: "", title: waitedFor(member.standing[receiver]) } };
  if (!isUncleared(member, receiver)) return undefined;
  const never = endUntold(member, receiver, facts) ?? (timing.clear === "none" ? CLEAR_NONE : gone);
  if (never) return { verdict: "none", by: never };
  const later = sight?.endHold ?? closed;
  return later && { verdict: "held", by: later };
}

/** For firings that actions report only when they end. */
const ENDS_ALONE: NoticeHold = { kind: "no_route", id: "ends", title: "it is told of ends alone" };
const CLEAR_NONE: NoticeHold = { kind: "clear_none", id: "", title: "" };

const digestHold = ({ route: id }: Problem, { digestAt: until }: Facts): NoticeHold => ({
  kind: "digest",
  id,
  title: "",
  ...(until === undefined ? {} : { until }),
});

function waitOf(problem: Problem, receiver: string, facts: Facts): NoticeHold {
  if (!isNamed(receiver, facts)) return { kind: "no_route", id: problem.route, title: "" };
  const agenda = agendaOf(problem, receiver, facts);
  const obstacle = agenda.due <= facts.now ? obstacleOf(agenda, problem, receiver, facts) : undefined;
  if (facts.digestDue && agenda.due > facts.now) return digestHold(problem, facts);
  return obstacle ?? { kind: "grouping", id: problem.id, title: "", until: agenda.due };
}
