import type { NoticeHold, ToldTo } from "../../../../fleet/alerts/telling.ts";
import type { Member, ToldMark } from "../../model.ts";

/** The receivers that were notified of a firing; a failed notice, or one about an end alone, does not count. */
export const toldTo = ({ told }: Pick<Member, "told">, titleOf: (receiver: string) => string): ToldTo[] =>
  Object.entries(told).flatMap(([receiver, { first, last, count, cleared, failed }]) =>
    failed || (count === 0 && cleared === undefined)
      ? []
      : [{ receiver, title: titleOf(receiver), first, last, count, ...(cleared === undefined ? {} : { cleared }) }],
  );

/**
 * Merges the marks of each receiver into one. Routes that share a receiver share its notices, so a mark already includes the
 * marks of the other route.
 */
export function jointly(told: readonly ToldTo[]): ToldTo[] {
  const joint = new Map<string, ToldTo>();
  for (const one of told) {
    const { first, last, count, cleared = one.cleared } = joint.get(one.receiver) ?? one;
    joint.set(one.receiver, {
      ...one,
      first: Math.min(first, one.first),
      last: Math.max(last, one.last),
      count: Math.max(count, one.count),
      ...(cleared === undefined ? {} : { cleared }),
    });
  }
  return [...joint.values()];
}

/** Hold of a firing in several problems. A route that no longer matches counts only if no other route does. */
export const holdIn = (holds: readonly (NoticeHold | undefined)[]): NoticeHold | undefined =>
  holds.find((hold) => hold && hold.kind !== "no_route") ?? (holds.includes(undefined) ? undefined : holds[0]);

/** Current hold of a firing: the one that applies to all receivers, else the first receiver's. */
export const heldBy = ({
  hold,
  ended,
  standing,
}: Pick<Member, "hold" | "ended" | "standing">): NoticeHold | undefined =>
  hold ?? (ended === undefined ? Object.values(standing).find(({ verdict }) => verdict === "held")?.by : undefined);

/** State of a firing's notice to a receiver: pending for the first time, sent, or given up. */
export const markState = ({ failed }: Pick<ToldMark, "failed">, isPending: boolean) =>
  failed ? "untold" : isPending ? "pending" : "told";

/** State of a firing in its problem, in a word. */
export const stateOf = ({ hold, ended, question }: Pick<Member, "hold" | "ended" | "question">) =>
  ended !== undefined ? (question ? "no data" : "over") : hold ? "held" : "live";
