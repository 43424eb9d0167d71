import type { Member, Problem, Route } from "../../model.ts";
import { withTwin } from "../problem/marks.ts";
import { routesBeside } from "../routing/match.ts";

/** Key of a firing's member in the problems of a route. */
export const memberKey = (invocation: string, route: string): string => `${invocation} ${route}`;

/**
 * Adds the marks that other routes left for the same receivers to the members of a problem, so that each firing is reported once.
 */
export function membersBeside(
  { members, route: id, sides }: Problem,
  routes: readonly Route[],
  known: ReadonlyMap<string, Member>,
): Member[] {
  const own = routes.find((each) => each.id === id) as Route;
  const beside = routesBeside(own, routes);
  const receivers = beside.length > 0 ? [...Object.keys(sides), ...(own.steps[0]?.to ?? [])] : [];
  let found = members;
  for (const receiver of new Set(receivers)) {
    const others = beside.filter(({ steps }) => steps.some(({ to }) => to.includes(receiver)));
    const otherOf = ({ invocation }: Member): Member | undefined =>
      others.flatMap((other) => known.get(memberKey(invocation, other.id)) ?? []).at(-1);
    found = found.map((member) => {
      const other = otherOf(member);
      return other ? withTwin(member, receiver, other.told[receiver]) : member;
    });
  }
  return found;
}
