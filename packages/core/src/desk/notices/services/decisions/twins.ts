import { activeUsers } from "../../../../directory/users/active-users.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { allOf, hasWord } from "../../../../search/ast.ts";
import { readAddresses } from "../../../texts/addresses.ts";
import { problemCollection, receiverCollection } from "../../collection.ts";
import type { Member, Problem, Receiver } from "../../model.ts";
import { ALL_ADMINISTRATORS } from "../../rules/delivery/administrators.ts";
import { latestOf } from "../../rules/problem/facts.ts";
import { withTwin } from "../../rules/problem/marks.ts";
import { keepsState } from "../../rules/providers/names.ts";
import { mismatch, routesBeside } from "../../rules/routing/match.ts";
import { firingOf } from "../problems/firings.ts";
import { routeOf, routesIn } from "../problems/routes.ts";
import { receiverOf } from "../receivers/receiver-of.ts";

type Deps = Parameters<typeof firingOf>[0] & Pick<Cradle, "alerts" | "apart" | "definitions">;

/**
 * Adds the marks of other problems that reach the same addresses, channel or hook to the members of a problem. This deduplicates
 * notices between an action and a receiver with the same destination, and between two routes to one receiver.
 */
export async function withTwins(tx: ReadTx, deps: Deps, problem: Problem): Promise<readonly Member[]> {
  let { members } = problem;
  const twins = deps.alerts.byProblem.isUsed() ? twinsOf(deps, problem) : [];
  for (const [receiver, twin, routes] of [...twins, ...sharedOf(deps, problem)]) {
    const marks =
      receiver === twin ? await sharedMarks(tx, deps, problem, { receiver, routes }) : await marksOf(tx, twin, routes);
    members = members.map((member) => {
      const other = marks.get(member.invocation)?.member;
      return other ? withTwin(member, receiver, other.told[twin]) : member;
    });
  }
  return members;
}

/**
 * A receiver of the problem, the id of the receiver with the same destination in other problems, and the routes of those
 * problems.
 */
type Twin = readonly [receiver: string, twin: string, routes: readonly string[]];

function twinsOf(deps: Deps, problem: Problem): Twin[] {
  const reach = (receiver: Receiver | undefined): string => (receiver ? reachOf(deps, receiver) : "");
  if (problem.title !== undefined) {
    const own = reach(receiverOf(deps, problem.route));
    return deps.definitions
      .all(receiverCollection)
      .filter((receiver) => own !== "" && reach(receiver) === own)
      .map(({ id }) => [problem.route, id, routesTo(deps, id)]);
  }
  const alerts = new Set(problem.members.map(({ alert }) => alert));
  const targets = deps.alerts.byProblem.aimedBy(alerts).map((id) => [id, reach(receiverOf(deps, id))] as const);
  return receiversOf(deps, problem).flatMap((receiver) => {
    const own = reach(deps.definitions.get(receiverCollection, receiver));
    return targets.filter(([, other]) => own !== "" && other === own).map(([id]): Twin => [receiver, id, [id]]);
  });
}

/** Receivers that were notified, or will be with the first decision. */
function receiversOf(deps: Deps, { sides, route }: Problem): readonly string[] {
  const first = routeOf(deps, route)?.steps[0]?.to ?? [];
  return [...new Set([...Object.keys(sides), ...first])];
}

/**
 * Other routes that notify the same receivers of the same firings, because the first of them continues to the next or because
 * routes were changed while the firings were live. The latter do not count for a service that keeps states, since it has one
 * state for each problem.
 */
function sharedOf(deps: Deps, problem: Problem): Twin[] {
  const { beside = [] } = problem;
  const own = routeOf(deps, problem.route);
  const others = own?.enabled ? routesBeside(own, routesIn(deps)) : [];
  return receiversOf(deps, problem).flatMap((receiver): Twin[] => {
    const naming = others.filter(({ steps }) => steps.some(({ to }) => to.includes(receiver))).map(({ id }) => id);
    const known = receiverOf(deps, receiver);
    const routes = new Set([...naming, ...(known && keepsState(known) ? [] : beside)]);
    return routes.size > 0 ? [[receiver, receiver, [...routes]]] : [];
  });
}

/** Number of firings in one query. */
const PAGE = 500;

interface Shared {
  readonly receiver: string;
  /** Ids. */
  readonly routes: readonly string[];
}

/**
 * Marks of a receiver for the same firings on other routes, including closed problems and removed routes. Marks of a route that
 * no longer matches count only for that route: a firing that got worse is news on another.
 */
async function sharedMarks(tx: ReadTx, deps: Deps, problem: Problem, { receiver, routes }: Shared): Promise<Marks> {
  const ofRoutes = hasWord("route", [...routes]);
  const all: Mark[] = [];
  for (let at = 0; at < problem.members.length; at += PAGE) {
    const words = problem.members.slice(at, at + PAGE).map(({ invocation }) => invocation);
    const about = hasWord("invocation", words);
    const { rows } = await tx.collection(problemCollection).find(allOf([ofRoutes, about]));
    const asked = new Set(words);
    all.push(...marksIn(rows, receiver).filter(({ member }) => asked.has(member.invocation)));
  }
  const found = await tx.collection(invocationRecords).getMany(all.map(({ member }) => latestOf(member)));
  const kept = all.filter(({ route: id }, at) => {
    const route = routeOf(deps, id);
    const invocation = found[at];
    const firing = invocation && firingOf(deps, invocation);
    return firing && (!route?.enabled || mismatch(route, firing) === undefined);
  });
  return byInvocation(kept);
}

const routesTo = (deps: Deps, receiver: string): string[] =>
  routesIn(deps)
    .filter(({ steps }) => steps.some(({ to }) => to.includes(receiver)))
    .map(({ id }) => id);

/** A text that is equal for receivers with the same destination; "" = the destination cannot be compared. */
function reachOf({ definitions }: Deps, { type, channel, web_hook, format, email, users }: Receiver) {
  switch (type) {
    case "channel":
      return `channel ${channel ?? ""}`;
    case "web_hook":
      return format ? "" : `web_hook ${web_hook ?? ""}`;
    case "mail":
    case "user": {
      // The administrators may change before the notice is sent.
      if (users?.includes(ALL_ADMINISTRATORS)) return "";
      const own = activeUsers({ definitions }, users ?? []).map((user) => user.email);
      const { addresses } = readAddresses(...own, email ?? "");
      return addresses.length === 0 ? "" : `mail ${addresses.map((each) => each.toLowerCase()).toSorted()}`;
    }
    default:
      return "";
  }
}

interface Mark {
  readonly member: Member;
  /** Id. */
  readonly route: string;
}
type Marks = ReadonlyMap<string, Mark>;

const byInvocation = (marks: readonly Mark[]): Marks => new Map(marks.map((mark) => [mark.member.invocation, mark]));

const marksIn = (problems: readonly Problem[], receiver: string): Mark[] =>
  problems
    .filter(({ sides }) => sides[receiver] !== undefined)
    .flatMap(({ members, route }) => members.map((member) => ({ member, route })));

/** Members of open problems on these routes that have the receiver `twin`, by invocation. */
async function marksOf(tx: ReadTx, twin: string, routes: readonly string[]): Promise<Marks> {
  if (routes.length === 0) return new Map();
  const open = hasWord("state", "open");
  const ofRoutes = hasWord("route", [...routes]);
  const { rows } = await tx.collection(problemCollection).find(allOf([open, ofRoutes]));
  return byInvocation(marksIn(rows, twin));
}
