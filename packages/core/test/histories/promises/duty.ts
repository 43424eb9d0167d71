import type { Notice, Problem } from "../../../src/desk/notices/model.ts";
import type { Promised, Recorded } from "../record.ts";
import { lengthOf, overlap, without } from "./spans.ts";

const LATE = 12;

type Duty = Recorded["duties"][number];

/** A person who comes on duty is notified once, and not earlier, of live problems that are not acknowledged. */
export const isHandedOver: Promised = (recorded) =>
  recorded.duties.flatMap((duty) =>
    recorded.problems.flatMap((problem) => {
      const own = recorded.notices.filter(
        (each) => each.problem === problem.id && each.receiver === duty.receiver && each.in_place_of === undefined,
      );
      const handed = own.filter(({ hand_over }) => hand_over);
      const where = `${problem.id} for ${duty.receiver}`;
      if (handed.length > 1) return [`${where} was handed over ${handed.length} times`];
      if (handed.some(({ date }) => date < duty.at)) return [`${where} was handed over before the person changed`];
      const isMissing = handed.length === 0 && isOwed(recorded, { duty, problem, own });
      return isMissing ? [`${where} was not handed over`] : [];
    }),
  );

interface Owed {
  readonly duty: Duty;
  readonly problem: Problem;
  readonly own: readonly Notice[];
}

/** The previous person was notified of a firing that is still live, and nothing holds a notice back at that time. */
function isOwed(recorded: Recorded, { duty: { receiver, at }, problem, own }: Owed): boolean {
  const route = recorded.routes.find(({ id }) => id === problem.route);
  if (!route?.first.includes(receiver) || route.digests || problem.members.some(({ flap }) => flap)) return false;
  const then = { from: at - LATE, to: at + LATE };
  const isThere = without(then, recorded.away).reduce((sum, span) => sum + lengthOf(span), 0) === 2 * LATE;
  const isOpen = overlap([then], route.open).some((span) => lengthOf(span) === 2 * LATE);
  const told = own.filter(({ date }) => date < then.from).flatMap((each) => each.new);
  const goesOn = recorded.firings.some(
    ({ id, ended = recorded.end, maybeHeld, taken }) =>
      told.includes(id) && ended > then.to + LATE && overlap([then], [...maybeHeld, ...taken]).length === 0,
  );
  return isThere && isOpen && goesOn;
}
