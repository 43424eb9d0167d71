import type { Route } from "../../model.ts";

/** Members of a firing that routes match on. */
export interface Firing {
  readonly severity: string;
  readonly subject: string;
  readonly alert: string;
  readonly tags: readonly string[];
  /** Groups of the server, in the order of the list of groups. */
  readonly groups: readonly string[];
  /** Id of the server; "" = another subject. */
  readonly server: string;
  /** Category of a subject that is not a server; "" = none. */
  readonly category: string;
  /** Subject of the firing: the id of a server, or type and id of another subject. */
  readonly place: string;
}

/** Name of the first list that does not match a firing; undefined = the route matches. */
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

/** Order in which routes are evaluated. */
export const byOrder = (a: Route, b: Route): number => a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1);

/** Routes that can match the same firings as `own`: of each pair, the earlier route continues to later ones. */
export const routesBeside = (own: Route, routes: readonly Route[]): Route[] =>
  routes.filter((other) => other.id !== own.id && other.enabled && (byOrder(own, other) < 0 ? own : other).continue);

/** The first route that matches, then further matching routes as long as each one continues. */
export function routesFor(
  routes: readonly Route[],
  firing: Firing,
  /** A closed route does not match unless it holds notices while closed. */
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

/** Grouping key: firings of a route with the same key share a problem. */
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

/** Interval of samples plus jitter, in seconds. */
const WAIT_SEC = 70;

/** Seconds for which a problem waits for others to join; 0 if there can be no others. */
export function waitOf(
  { group_by, group_wait }: Pick<Route, "group_by" | "group_wait">,
  possibleSubjects: number,
): number {
  if (group_wait !== "auto") return group_wait;
  const isAlone = group_by.includes("subject") || possibleSubjects <= 1;
  return group_by.includes("alert") && isAlone ? 0 : WAIT_SEC;
}
