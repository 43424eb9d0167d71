import type { Invocation } from "../../../../fleet/alerts/model.ts";
import type { Episode } from "../../../../fleet/alerts/rules/evaluation/episodes.ts";
import { toldAlone } from "../../../../fleet/alerts/rules/telling/by-problem.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { Unit } from "../../../../kernel/transactions/unit-of-work.ts";
import { byId } from "../../../../lib/by-id.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import { problemCollection } from "../../collection.ts";
import type { Member, Problem, Route } from "../../model.ts";
import type { Flap } from "../../rules/flapping/flap.ts";
import { added, join, pairOf, placeFor } from "../../rules/flapping/join.ts";
import { latestOf } from "../../rules/problem/facts.ts";
import { type Firing, keyOf, routesFor } from "../../rules/routing/match.ts";
import { noteUnrouted } from "../decisions/decisions.ts";
import type { Hours } from "../decisions/hours.ts";
import { ACTIONS, actionRoute, actionTitle } from "../receivers/action-routes.ts";
import { firingOf, liveInvocations } from "./firings.ts";
import { episodeWith, notePart } from "./flapping.ts";
import type { KnownProblems } from "./open-problems.ts";
import { routesIn } from "./routes.ts";

type Deps = Pick<
  Cradle,
  | "alerts"
  | "apart"
  | "checks"
  | "clock"
  | "definitions"
  | "expectations"
  | "heartbeats"
  | "ids"
  | "servers"
  | "snapshot"
  | "transact"
>;

interface Joining {
  readonly invocation: Invocation;
  readonly firing: Firing;
  readonly episode: Episode | undefined;
  /** Ids of the routes of open problems that already contain it. */
  readonly before: readonly string[];
}

interface Look {
  readonly hours: Hours;
  readonly known: KnownProblems;
}

/**
 * Puts live firings into the problems of the routes that match them; a firing stays in the problem that it has. Answers the ids of
 * the problems that firings have joined.
 */
export async function takeIn(deps: Deps, { hours, known }: Look, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for await (const invocations of liveInvocations(deps)) {
    const { byRoute, unrouted } = await sorted(deps, hours, { invocations, known: known.places, signal });
    for (const [route, joining] of byRoute) {
      if (signal.aborted) return changed;
      const matter = { task: "notices", noun: "Route", id: route.id, signal };
      for (const id of (await deps.apart.run(matter, () => enter(deps, route, joining))) ?? []) changed.add(id);
    }
    await noteUnrouted(deps, unrouted);
  }
  return changed;
}

/** Puts firings into problems of a route and answers the ids of these. Then notes the route in the firings' earlier problems. */
async function enter(deps: Deps, route: Route, joining: readonly Joining[]): Promise<readonly string[]> {
  const changed = await deps.transact((unit) => joinAll(unit, deps, route, joining));
  for (const before of new Set(joining.flatMap((each) => each.before)))
    await deps.transact((unit) => noteBeside(unit, { before, since: route.id, joining }));
  return changed;
}

interface Page {
  readonly invocations: readonly Invocation[];
  readonly known: ReadonlyMap<string, ReadonlySet<string>>;
  readonly signal: AbortSignal;
}

/** Firings by the routes whose problems they will join, and firings that no route matches. */
async function sorted(deps: Deps, hours: Hours, { invocations, known, signal }: Page) {
  const routes = routesIn(deps);
  const byActions = createByActions(deps);
  const byRoute = new Map<Route, Joining[]>();
  const unrouted: Invocation[] = [];
  const sort = async (invocation: Invocation): Promise<void> => {
    const firing = firingOf(deps, invocation);
    if (!firing) return;
    const places = known.get(invocation.id);
    const found = [...routesFor(routes, firing, hours.isOpen), ...byActions(invocation)];
    const joined = found.filter(({ id }) => !places?.has(id));
    const episode = joined.length > 0 ? await episodeWith(deps, invocation) : undefined;
    const before = [...(places ?? [])];
    for (const route of joined)
      byRoute.set(route, [...(byRoute.get(route) ?? []), { invocation, firing, episode, before }]);
    if (found.length === 0 && !places) unrouted.push(invocation);
  };
  for (const invocation of invocations)
    await deps.apart.run({ task: "notices", noun: "Alert", id: invocation.id, signal }, () => sort(invocation));
  return { byRoute, unrouted };
}

/** The routes that actions stand for, each once, so that firings of one alert with the same target share notices. */
function createByActions(deps: Deps): (invocation: Invocation) => Route[] {
  const known = new Map<string, Route>();
  return (invocation) => {
    const alert = deps.alerts.definition(invocation.alert);
    if (!alert) return [];
    return deps.alerts.byProblem.of(invocation).flatMap(({ id, fires, ends }) => {
      const action = fires ?? ends;
      if (!action) return [];
      const key = `${id} ${alert.id}`;
      const route = known.get(key) ?? actionRoute(id, actionTitle(deps, action), alert);
      known.set(key, route);
      return [route];
    });
  };
}

/**
 * Adds firings to problems in one transaction, so that a storm rewrites each problem once per page and not once per firing.
 * Answers the ids of the changed problems.
 */
async function joinAll(unit: Unit, deps: Deps, route: Route, joining: readonly Joining[]): Promise<string[]> {
  const { tx, emit } = unit;
  await tx.lock(`notices:${route.id}`);
  const problems = tx.collection(problemCollection);
  const ofRoute = hasWord("route", route.id);
  const found = await problems.find(allOf([ofRoute, hasWord("state", "open")]));
  // Locks the problems, since deliveries record failed notices in them.
  for (const { id } of found.rows) await tx.lock(`notices:problem:${id}`);
  const rows = (await problems.getMany(found.rows.map(({ id }) => id))).flatMap((problem) => problem ?? []);
  // Two nodes may briefly lead at once, so some firings may have joined already.
  const taken = new Set(
    rows.flatMap(({ members }) => members.flatMap((member) => [member.invocation, latestOf(member)])),
  );
  const open = { problems: byId(rows), pairs: new Set(rows.flatMap(({ members }) => members.map(pairOf))) };
  const changed = new Map<string, Problem>();
  for (const each of joining.filter(({ invocation }) => !taken.has(invocation.id))) {
    const { flap, continues, ...entered } = joined(deps, route, open, each);
    const problem = withBeside(entered.problem, each.before);
    if (continues) await deps.alerts.continued(unit, each.invocation.id, continues);
    if (flap) await notePart(unit, { invocation: each.invocation.id, problem: problem.id, flap, from: problem.due });
    open.problems.set(problem.id, problem);
    changed.set(problem.id, problem);
  }
  for (const problem of changed.values()) {
    if (rows.some(({ id }) => id === problem.id)) await problems.update(problem.id, () => problem);
    else {
      await problems.insert(problem);
      emit("problem.opened", { id: problem.id });
    }
  }
  return [...changed.keys()];
}

/** Adds other routes whose receivers are notified of the same firings to a problem. */
function withBeside<P extends Problem>(problem: P, routes: readonly string[]): P {
  const beside = [...new Set([...(problem.beside ?? []), ...routes])];
  return routes.length === 0 ? problem : { ...problem, beside };
}

interface Beside {
  /** Ids of the route that matched a firing earlier, and of the route that matches it now. */
  readonly before: string;
  readonly since: string;
  readonly joining: readonly Joining[];
}

/** Notes in the problems of a route that from now on another route also notifies of the same firings. */
async function noteBeside({ tx }: Unit, { before, since, joining }: Beside): Promise<void> {
  const moved = new Set(joining.filter((each) => each.before.includes(before)).map(({ invocation }) => invocation.id));
  const problems = tx.collection(problemCollection);
  const { rows } = await problems.find(allOf([hasWord("route", before), hasWord("state", "open")]));
  const isMoved = (member: Member): boolean => moved.has(member.invocation) || moved.has(latestOf(member));
  for (const { id } of rows.filter(({ members }) => members.some(isMoved))) {
    await tx.lock(`notices:problem:${id}`);
    await problems.update(id, (stored) => withBeside(stored, [since]));
  }
}

/** The open problems of a route. */
interface Open {
  readonly problems: ReadonlyMap<string, Problem>;
  /** What their members are about: in a storm, searching all members for each firing would block the event loop. */
  readonly pairs: Set<string>;
}

interface Entered {
  readonly problem: Problem & { readonly due: number };
  /** The flapping that the firing is part of. */
  readonly flap?: Flap | undefined;
  /** The invocation that it continues. */
  readonly continues?: string | undefined;
}

/** A problem with the firing added: an open one, or a new one if none is open or all are full. */
function joined({ alerts, clock, ids }: Deps, route: Route, { problems, pairs }: Open, joining: Joining): Entered {
  const { invocation, firing, episode } = joining;
  const key = keyOf(route, firing);
  const now = Math.floor(clock.now());
  const member = memberOf(joining, route, now);
  const isKnown = pairs.has(pairOf(member));
  pairs.add(pairOf(member));
  const place = placeFor([...problems.values()], key, isKnown ? member : undefined);
  const enter = isKnown ? join : added;
  const { members, partOf, continues } = enter(place?.members ?? [], member, episode);
  const { id: alert, title = alert } = alerts.definition(invocation.alert) ?? { id: invocation.alert };
  const titles = { ...place?.titles, [alert]: title };
  if (place) return { problem: { ...place, titles, members: [...members], due: now }, flap: partOf?.flap, continues };
  return {
    problem: {
      id: ids.short("pg"),
      route: route.id,
      ...(route.username === ACTIONS ? { title: route.title } : {}),
      key,
      severity: firing.severity,
      opened: now,
      closed: null,
      members: [...members],
      titles,
      sides: {},
      steps: 0,
      due: now,
    },
  };
}

function memberOf({ invocation, firing }: Joining, route: Route, joined: number): Member {
  const before = toldAlone(invocation, route.id);
  return {
    invocation: invocation.id,
    alert: invocation.alert,
    server: firing.place,
    severity: firing.severity,
    joined,
    told: before ? { [route.id]: before } : {},
    standing: {},
  };
}
