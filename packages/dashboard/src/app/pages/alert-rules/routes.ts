import type { listed } from "../../data/records/lists.ts";
import type { Route } from "../notices/data.ts";

type Rule = NonNullable<ReturnType<typeof listed<"alerts">>>[number];
export type Told = Pick<Rule, "id" | "subject" | "severity" | "tags">;
export type Asked = Pick<Route, "id" | "title" | "enabled" | "sort_order" | "match" | "active" | "continue">;

const says = (list: readonly string[] | null | undefined, own: readonly string[]): boolean =>
  !list?.length || own.some((each) => list.includes(each));

/** A heartbeat or a check may have its own severity, which overrides the severity of the rule, so any is possible. */
const severitiesOf = ({ subject, severity }: Told): readonly string[] =>
  subject === "heartbeat" || subject === "check" ? ["info", "warning", "critical"] : [severity ?? "warning"];

const mayTake = ({ enabled, match }: Asked, rule: Told): boolean =>
  Boolean(enabled) &&
  says(match?.alerts, [rule.id]) &&
  says(match?.subjects, [rule.subject || "server"]) &&
  says(match?.severities, severitiesOf(rule)) &&
  says(match?.tags, rule.tags ?? []);

/** True if the route takes every firing of the rule and passes none on to later routes. */
function takesAll({ match, active, continue: goesOn }: Asked, rule: Told): boolean {
  const isPartial = [match?.groups, match?.servers, match?.categories].some((list) => list?.length);
  const isSure = severitiesOf(rule).every((severity) => says(match?.severities, [severity]));
  return !goesOn && !isPartial && isSure && !active?.length;
}

/** Returns the routes that may take firings of a rule. The server and time of each firing decide which of them do. */
export function routesOf(rule: Told, routes: readonly Asked[]): readonly Asked[] {
  const found: Asked[] = [];
  for (const route of routes.toSorted((a, b) => a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1))) {
    if (!mayTake(route, rule)) continue;
    found.push(route);
    if (takesAll(route, rule)) break;
  }
  return found;
}
