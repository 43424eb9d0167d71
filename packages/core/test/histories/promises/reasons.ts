import type { Decision } from "../../../src/desk/notices/model.ts";
import { firstOf, type Promised, type Recorded, type RouteRules } from "../record.ts";
import { lengthOf, overlap, type Span, without } from "./spans.ts";

/** Seconds until the first look at a firing. */
const LATE = 12;

/** At each moment of a firing's life, exactly one decision is on record for each receiver. */
export const isOnRecord: Promised = (recorded) =>
  recorded.firings.flatMap((firing) => {
    const own = recorded.decisions.filter(({ invocation }) => invocation === firing.id);
    const isPart = own.some(({ by, receiver }) => by?.kind === "flapping" && receiver === null);
    if (isPart || isUnseen(recorded, firing)) return [];
    const routes = recorded.routes.filter(({ match }) => match.length === 0 || match.includes(firing.severity));
    const asked = routes.filter((route) => !route.skips || isOpenFor(route, recorded, firing));
    if (routes.length === 0)
      return own.some(({ by }) => by?.kind === "no_route") ? [] : [`${firing.id} has no route, and nothing says so`];
    return asked.flatMap((route) => {
      const problems = new Set(recorded.problems.filter((each) => each.route === route.id).map(({ id }) => id));
      return firstOf(route, lifeOf(firing, recorded)).flatMap((receiver) =>
        gaps(
          own.filter((each) => each.receiver === receiver && problems.has(each.problem ?? "")),
          firing,
          recorded,
        ).map((what) => `${firing.id} for ${receiver} by ${route.id}: ${what}`),
      );
    });
  });

type Firing = Recorded["firings"][number];
const lifeOf = ({ fired, ended }: Firing, { end }: Recorded): Span => ({
  from: fired,
  to: Math.min(ended ?? end, end),
});

/** It came and went while no node led, or is too young. */
const isUnseen = (recorded: Recorded, firing: Firing): boolean =>
  without(lifeOf(firing, recorded), recorded.away).every((span) => lengthOf(span) <= LATE);

const isOpenFor = (route: RouteRules, recorded: Recorded, firing: Firing): boolean =>
  overlap(route.open, without(lifeOf(firing, recorded), recorded.away)).some((span) => lengthOf(span) > LATE);

function gaps(own: readonly Decision[], firing: Firing, recorded: Recorded): string[] {
  const { to: end } = lifeOf(firing, recorded);
  // A live firing that is evaluated late has a decision from then on.
  const inOrder = own.toSorted(
    (a, b) => a.from - b.from || (a.to ?? Number.POSITIVE_INFINITY) - (b.to ?? Number.POSITIVE_INFINITY),
  );
  const [first] = inOrder;
  if (!first) return ["there is no decision"];
  const breaks = inOrder.slice(1).flatMap((decision, at) => {
    const before = inOrder[at];
    return before && before.to !== decision.from
      ? [`${before.verdict} ends at ${before.to}, ${decision.verdict} begins at ${decision.from}`]
      : [];
  });
  const last = inOrder.at(-1)?.to;
  return [...breaks, ...(typeof last === "number" && last < end ? ["the last decision ends before the firing"] : [])];
}
