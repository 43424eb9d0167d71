import type { Route } from "../../model.ts";

/** Members of a firing that routes ask about. */
export interface Firing {
  readonly severity: string;
  readonly subject: string;
  readonly alert: string;
  readonly tags: readonly string[];
  /** Groups of the server, in the order of the list of groups. */
  readonly groups: readonly string[];
  /** Id of the server; "" = another subject. */
  readonly server: string;
  /** Category of another subject than a server; "" = none. */
  readonly category: string;
  /** Subject of the firing: id of the server, or type and id of something else. */
  readonly place: string;
}

/** The first list that says no to a firing; undefined = the route matches. */
export function mismatch({ match }: Pick<Route, "match">, firing: Firing): string | undefined {
  const lists: readonly [string, readonly string[] | null | undefined, readonly string[]][] = [
    ["severities", match.severities, [firing.severity]],
    ["subjects", match.subjects, [firing.subject]],
    ["alerts", match.alerts, [firing.alert]],
    ["tags", match.tags, firing.tags],
    ["groups", match.groups, firing.groups],
    ["servers", match.servers, [firing.server]],
    ["categories", match.categories, [firing.category]],
  ];
  return lists.find(([, list, own]) => list && list.length > 0 && !own.some((each) => list.includes(each)))?.[0];
}

/** Order in which routes are asked. */
export const byOrder = (a: Route, b: Route): number => a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1);

/** Routes that may tell of the same firings as one: the first of each two goes on to the next. */
export const routesBeside = (own: Route, routes: readonly Route[]): Route[] =>
  routes.filter((other) => other.id !== own.id && other.enabled && (byOrder(own, other) < 0 ? own : other).continue);

/** The first route that matches, and the matching routes after it while each goes on to the next. */
export function routesFor(
  routes: readonly Route[],
  firing: Firing,
  /** A route outside of its hours that does not hold does not match. */
  isOpen: (route: Route) => boolean,
): Route[] {
  const found: Route[] = [];
  for (const route of routes.filter(({ enabled }) => enabled).toSorted(byOrder)) {
    if (mismatch(route, firing) !== undefined || !(isOpen(route) || route.outside === "hold")) continue;
    found.push(route);
    if (!route.continue) break;
  }
  return found;
}

/** Firings of a route with the same key are told together. */
export function keyOf({ group_by }: Pick<Route, "group_by">, firing: Firing): string {
  const values = {
    alert: firing.alert,
    subject: firing.place,
    category: firing.category,
    severity: firing.severity,
    group: firing.groups[0] ?? "",
    tag: firing.tags[0] ?? "",
  };
  return JSON.stringify(group_by.map((name) => [name, values[name]]));
}

/** A minute of samples and its jitter. Seconds. */
const WAIT_SEC = 70;

/** Seconds that a problem waits for others like it; none where there can be no others. */
export function waitOf(
  { group_by, group_wait }: Pick<Route, "group_by" | "group_wait">,
  possibleSubjects: number,
): number {
  if (group_wait !== "auto") return group_wait;
  const isAlone = group_by.includes("subject") || possibleSubjects <= 1;
  return group_by.includes("alert") && isAlone ? 0 : WAIT_SEC;
}
