import type { NoticeHold, ToldTo } from "../../../../fleet/alerts/telling.ts";
import type { Member, ToldMark } from "../../model.ts";

/** The receivers that were told of a firing; what did not arrive was not told, nor was what waits for its end. */
export const toldTo = ({ told }: Pick<Member, "told">, titleOf: (receiver: string) => string): ToldTo[] =>
  Object.entries(told).flatMap(([receiver, { first, last, count, cleared, failed }]) =>
    failed || (count === 0 && cleared === undefined)
      ? []
      : [{ receiver, title: titleOf(receiver), first, last, count, ...(cleared === undefined ? {} : { cleared }) }],
  );

/** What keeps a firing from somebody now: what holds it from all, or else from the first of its receivers. */
export const heldBy = ({
  hold,
  ended,
  standing,
}: Pick<Member, "hold" | "ended" | "standing">): NoticeHold | undefined =>
  hold ?? (ended === undefined ? Object.values(standing).find(({ verdict }) => verdict === "held")?.by : undefined);

/** How far a receiver's being told has come: on its way for the first time, told, or given up. */
export const markState = ({ failed }: Pick<ToldMark, "failed">, isPending: boolean) =>
  failed ? "untold" : isPending ? "pending" : "told";

/** How a firing stands in its problem, in a word. */
export const stateOf = ({ hold, ended, question }: Pick<Member, "hold" | "ended" | "question">) =>
  ended !== undefined ? (question ? "no data" : "over") : hold ? "held" : "live";
