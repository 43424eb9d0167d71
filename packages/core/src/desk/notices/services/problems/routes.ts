import { isInWindow, secondsOf } from "../../../../fleet/silences/rules/in-force.ts";
import { definitionIn } from "../../../../kernel/apart.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { createCalendar, OWN_ZONE } from "../../../../lib/time/calendar.ts";
import { routeCollection } from "../../collection.ts";
import type { Route } from "../../model.ts";
import { readRoute } from "../../rules/records/records.ts";
import { isDigestDue } from "../../rules/routing/digest.ts";
import { type Firing, keyOf, mismatch } from "../../rules/routing/match.ts";

type Deps = Pick<Cradle, "apart" | "definitions">;

/** Routes that can be read. A broken route takes in no firings, like a disabled one, and does not affect the others. */
export const routesIn = ({ apart, definitions }: Deps): readonly Route[] =>
  definitions
    .all(routeCollection)
    .map(readRoute)
    .filter((route) => isSound(apart, route));

/** The route with an id; undefined = it is gone or cannot be read. */
export function routeOf({ apart, definitions }: Deps, id: string): Route | undefined {
  const stored = definitions.get(routeCollection, id);
  const route = stored && readRoute(stored);
  return route && isSound(apart, route) ? route : undefined;
}

/** Routes that were checked, by object: a changed definition is a new object. */
const known = new WeakMap<Route, true>();

function isSound(apart: Deps["apart"], route: Route): boolean {
  if (known.has(route)) return true;
  const isRead = apart.now(definitionIn("notices", "Route", route.id), () => readAll(route)) ?? false;
  if (isRead) known.set(route, true);
  return isRead;
}

const NONE: Firing = {
  severity: "",
  subject: "",
  alert: "",
  tags: [],
  groups: [],
  server: "",
  category: "",
  place: "",
};
const RULES = { calendar: createCalendar(), zone: OWN_ZONE };

/** Reads all members that decisions use. Throws if one has the wrong shape. */
function readAll(route: Route): true {
  mismatch(route, NONE);
  keyOf(route, NONE);
  for (const { to } of route.steps) to.includes("");
  for (const window of route.active) isInWindow(window, secondsOf(window.from), RULES);
  if (route.digest) isDigestDue(route.digest, { since: 0, now: 0 }, RULES);
  return true;
}
