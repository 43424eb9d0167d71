import type { Invocation } from "../../../fleet/alerts/model.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { problemCollection, routeCollection } from "../collection.ts";
import type { Member, Problem, Route } from "../model.ts";
import { isUncleared } from "../rules/facts.ts";
import { type Firing, keyOf, routesFor } from "../rules/match.ts";
import { noteUnrouted } from "./decisions.ts";
import { firingOf, liveInvocations } from "./firings.ts";
import type { Hours } from "./hours.ts";

type Deps = Pick<Cradle, "alerts" | "clock" | "definitions" | "ids" | "servers" | "snapshot" | "transact">;

/** Firings of one problem; more begin a second one. */
const MAX_MEMBERS = 1000;

/** Puts live firings into the problems of the routes that match them; those that are in already stay where they are. */
export async function takeIn(deps: Deps, hours: Hours, signal: AbortSignal): Promise<void> {
  const routes = deps.definitions.all(routeCollection);
  for await (const invocations of liveInvocations(deps)) {
    const known = await knownPlaces(deps, invocations);
    for (const invocation of invocations) {
      if (signal.aborted) return;
      const firing = firingOf(deps, invocation);
      if (!firing) continue;
      const found = routesFor(routes, firing, hours.isOpen);
      await place(deps, { invocation, firing, routes: found }, known.get(invocation.id));
    }
  }
}

async function place(deps: Deps, joining: Joining, places: ReadonlySet<string> = new Set()): Promise<void> {
  const routes = joining.routes.filter(({ id }) => !places.has(id));
  if (routes.length > 0) await deps.transact((unit) => joinAll(unit, deps, { ...joining, routes }));
  else if (places.size === 0) await noteUnrouted(deps, joining.invocation);
}

/** Routes of the open problems that hold each invocation. */
async function knownPlaces({ snapshot }: Deps, invocations: readonly Invocation[]): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>();
  if (invocations.length === 0) return places;
  const words = invocations.map(({ id }) => id);
  const { rows } = await snapshot((tx) =>
    tx.collection(problemCollection).find({ kind: "term", field: "invocation", words }),
  );
  for (const { route, members } of rows)
    for (const { invocation } of members) places.set(invocation, (places.get(invocation) ?? new Set()).add(route));
  return places;
}

interface Joining {
  readonly invocation: Invocation;
  readonly firing: Firing;
  readonly routes: readonly Route[];
}

async function joinAll(unit: Unit, deps: Deps, { invocation, firing, routes }: Joining): Promise<void> {
  for (const route of routes) await join(unit, deps, { invocation, firing, route });
}

async function join(
  { tx, emit }: Unit,
  { clock, ids }: Deps,
  { invocation, firing, route }: Omit<Joining, "routes"> & { readonly route: Route },
): Promise<void> {
  await tx.lock(`notices:${route.id}`);
  const problems = tx.collection(problemCollection);
  const ofRoute = { kind: "term", field: "route", words: [route.id] } as const;
  const open = { kind: "term", field: "state", words: ["open"] } as const;
  const { rows } = await problems.find({ kind: "and", nodes: [ofRoute, open] });
  // Two nodes that lead at once.
  if (rows.some(({ members }) => members.some((each) => each.invocation === invocation.id))) return;
  const key = keyOf(route, firing);
  const now = Math.floor(clock.now());
  const member: Member = {
    ...{ invocation: invocation.id, alert: invocation.alert, server: invocation.server, severity: firing.severity },
    ...{ joined: now, told: {}, standing: {} },
  };
  const place = rows.find((each) => each.key === key && each.members.length < MAX_MEMBERS);
  if (place) {
    await problems.update(place.id, (stored) => ({ ...stored, members: joined(stored.members, member), due: now }));
    return;
  }
  const problem: Problem = {
    ...{ id: ids.short("pg"), route: route.id, key, severity: firing.severity, opened: now, closed: null },
    ...{ members: [member], sides: {}, steps: 0, due: now },
  };
  await problems.insert(problem);
  emit("problem.opened", { id: problem.id });
}

/** A firing that goes on after its end was not told yet is no news: what was told of the old one counts for it. */
function joined(members: readonly Member[], member: Member): Member[] {
  const before = members.findLast(
    (each) =>
      each.alert === member.alert &&
      each.server === member.server &&
      each.ended !== undefined &&
      Object.keys(each.told).some((receiver) => isUncleared(each, receiver)),
  );
  if (!before) return [...members, member];
  const others = members.map((each) => (each === before ? { ...each, told: {} } : each));
  return [...others, { ...member, told: before.told, standing: before.standing }];
}
