import type { Notice, Problem } from "../../../src/desk/notices/model.ts";
import { livesOf, type Promised, type Recorded, type RouteRules } from "../record.ts";
import { lengthOf, type Span, without } from "./spans.ts";

const LATE = 12;
const mayHaveArrived = ({ outcome }: Notice): boolean => outcome === "sent" || outcome === "uncertain";
const namesOf = ({ new: news, repeated, brief = [] }: Notice): string[] => [...news, ...repeated, ...brief];

/** Receivers are notified of the end of exactly the firings that they were notified of, and only once. */
export const endsTold: Promised = (recorded) => {
  const lives = new Map(livesOf(recorded).flatMap((life) => life.map(({ id }) => [id, life.map((each) => each.id)])));
  // Notices to a fallback replace those to another receiver.
  const own = recorded.notices.filter(({ in_place_of }) => in_place_of === undefined);
  const given = own.filter((notice) => notice.over.length > 0 && mayHaveArrived(notice));
  return given.flatMap((notice) =>
    notice.over.flatMap((id) => {
      const life = lives.get(id) ?? [id];
      const isSame = (other: Notice): boolean => other.receiver === notice.receiver;
      const told = own.some(
        (other) =>
          isSame(other) &&
          other.date <= notice.date &&
          mayHaveArrived(other) &&
          namesOf(other).some((each) => life.includes(each)),
      );
      const ends = given.filter((other) => isSame(other) && other.over.includes(id));
      return [
        ...(told ? [] : [`${notice.receiver} heard the end of ${id}, of which they were not told`]),
        ...(ends.length > 1 ? [`${notice.receiver} heard the end of ${id} ${ends.length} times`] : []),
      ];
    }),
  );
};

/** Receivers that were notified of a firing are notified of its end, or a reason is on record. */
export const endsPromised: Promised = (recorded) =>
  recorded.problems.flatMap((problem) => {
    const route = recorded.routes.find(({ id }) => id === problem.route);
    return route && route.clear !== "none" ? owedBy(recorded, problem, route) : [];
  });

function owedBy(recorded: Recorded, problem: Problem, route: RouteRules): string[] {
  const firings = new Map(recorded.firings.map((firing) => [firing.id, firing]));
  const all = recorded.notices.filter(({ in_place_of }) => in_place_of === undefined);
  return problem.members.flatMap((member) => {
    const firing = firings.get(member.invocation);
    // A flapping firing ends with the flapping, and one that is continued ends with its continuation.
    const isContinued = recorded.firings.some(({ continues }) => continues === member.invocation);
    if (!firing || firing.ended === undefined || firing.isStale || isContinued || member.flap) return [];
    return route.named.flatMap((receiver) => {
      const mine = all.filter((each) => each.receiver === receiver);
      const own = mine.filter((each) => each.problem === problem.id);
      const first = own.find((each) => namesOf(each).includes(firing.id) && mayHaveArrived(each));
      const isOver = mine.some((each) => [...each.over, ...(each.brief ?? [])].includes(firing.id));
      if (!first || isOver || !isOwed(recorded, { problem, route, ended: firing.ended ?? 0 })) return [];
      return hasReason(recorded, firing.id, receiver) ? [] : [`${receiver} was not told the end of ${firing.id}`];
    });
  });
}

interface Owed {
  readonly problem: Problem;
  readonly route: RouteRules;
  readonly ended: number;
}

/** The problem had no live firing for long enough after an end, in hours in which ends are reported. */
function isOwed({ firings, away, end }: Recorded, { problem, route, ended }: Owed): boolean {
  const ids = new Set(problem.members.map(({ invocation }) => invocation));
  const live: Span[] = firings
    .filter(({ id }) => ids.has(id))
    .map(({ fired, ended: to = end, isStale }) => ({ from: fired, to: isStale ? end : to }));
  if (route.digests || problem.members.some(({ flap }) => flap)) return false;
  const rest = without({ from: ended, to: end }, [...live, ...away]);
  const closed = without({ from: ended, to: end }, route.open);
  return rest.flatMap((span) => without(span, closed)).some((span) => lengthOf(span) > route.group_wait + LATE + 10);
}

const WORDS = new Set(["acknowledgement", "clear_none", "receiver", "no_data", "snooze", "hours", "digest", "brief"]);
const hasReason = ({ decisions }: Recorded, id: string, receiver: string): boolean =>
  decisions.some(
    (each) =>
      each.invocation === id && each.receiver === receiver && each.verdict !== "told" && WORDS.has(each.by?.kind ?? ""),
  );
