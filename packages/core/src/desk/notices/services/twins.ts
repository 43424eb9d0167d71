import { userRecords } from "../../../directory/users/records.ts";
import { userKey } from "../../../directory/users/rules/account.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { readAddresses } from "../../texts/addresses.ts";
import { problemCollection, receiverCollection, routeCollection } from "../collection.ts";
import type { Member, Problem, Receiver } from "../model.ts";
import { withTwin } from "../rules/problem/marks.ts";
import { receiverOf } from "./receiver-of.ts";

type Deps = Pick<Cradle, "alerts" | "definitions">;

/**
 * The members of a problem with what was told of them to the same addresses, channel or hook in another problem: what an
 * action and a receiver of a route both reach is told once.
 */
export async function withTwins(tx: ReadTx, deps: Deps, problem: Problem): Promise<readonly Member[]> {
  if (!deps.alerts.byProblem.isUsed()) return problem.members;
  let { members } = problem;
  for (const [receiver, twin, routes] of twinsOf(deps, problem)) {
    const marks = await marksOf(tx, twin, routes);
    members = members.map((member) => {
      const known = marks.get(member.invocation);
      return known ? withTwin(member, receiver, known.told[twin]) : member;
    });
  }
  return members;
}

/** A receiver of the problem, the id under which the same is told elsewhere, and the routes of those problems. */
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
  return Object.keys(problem.sides).flatMap((receiver) => {
    const own = reach(deps.definitions.get(receiverCollection, receiver));
    return targets.filter(([, other]) => own !== "" && other === own).map(([id]): Twin => [receiver, id, [id]]);
  });
}

const routesTo = ({ definitions }: Deps, receiver: string): string[] =>
  definitions
    .all(routeCollection)
    .filter(({ steps }) => steps.some(({ to }) => to.includes(receiver)))
    .map(({ id }) => id);

const ALL_ADMINISTRATORS = "@admins";

/** What a receiver reaches, the same for all that reach the same; "" = it cannot be compared. */
function reachOf({ definitions }: Deps, { type, channel = "", web_hook = "", format, email, users = [] }: Receiver) {
  switch (type) {
    case "channel":
      return `channel ${channel}`;
    case "web_hook":
      return format ? "" : `web_hook ${web_hook}`;
    case "mail":
    case "user": {
      // Nobody knows who the administrators will be.
      if (users.includes(ALL_ADMINISTRATORS)) return "";
      const named = users.flatMap((name) => definitions.get(userRecords, userKey(name)) ?? []);
      const own = named.filter(({ active }) => active).map((user) => user.email);
      const { addresses } = readAddresses([...own, email ?? ""].join(","));
      return addresses.length === 0 ? "" : `mail ${addresses.map((each) => each.toLowerCase()).toSorted()}`;
    }
    default:
      return "";
  }
}

/** Members of open problems that have such a receiver, by invocation. */
async function marksOf(tx: ReadTx, twin: string, routes: readonly string[]): Promise<ReadonlyMap<string, Member>> {
  if (routes.length === 0) return new Map();
  const open = { kind: "term", field: "state", words: ["open"] } as const;
  const ofRoutes = { kind: "term", field: "route", words: [...routes] } as const;
  const { rows } = await tx.collection(problemCollection).find({ kind: "and", nodes: [open, ofRoutes] });
  const members = rows.filter(({ sides }) => sides[twin] !== undefined).flatMap((row) => row.members);
  return new Map(members.map((member) => [member.invocation, member]));
}
