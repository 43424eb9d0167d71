import { groupRecords } from "../../../../directory/groups/records.ts";
import type { Alert, Invocation } from "../../../../fleet/alerts/model.ts";
import { invocationRecords } from "../../../../fleet/alerts/records.ts";
import { severityOf } from "../../../../fleet/alerts/rules/definition/severity.ts";
import { isForPlace, kindOf, placeOf } from "../../../../fleet/alerts/rules/definition/subjects.ts";
import { sourceOf } from "../../../../fleet/alerts/subjects/watched-source.ts";
import { isInScope } from "../../../../fleet/monitors/rules/readings/evaluate.ts";
import type { Server } from "../../../../fleet/servers/model.ts";
import { serverRecords } from "../../../../fleet/servers/records.ts";
import type { Cradle } from "../../../../kernel/container.ts";
import { pagesById } from "../../../../kernel/searches/pages-by-id.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { above, allOf, hasWord, type SearchNode } from "../../../../search/ast.ts";
import type { Member } from "../../model.ts";
import { flapOf, isLive, latestOf } from "../../rules/problem/facts.ts";
import type { Firing } from "../../rules/routing/match.ts";

type Deps = Pick<
  Cradle,
  "alerts" | "checks" | "clock" | "definitions" | "expectations" | "heartbeats" | "servers" | "snapshot"
>;

const PAGE = 200;

const live = hasWord("active", "true");

/** Live invocations, page by page. */
export const liveInvocations = ({ snapshot }: Pick<Deps, "snapshot">): AsyncGenerator<readonly Invocation[]> =>
  pagesById(snapshot, invocationRecords, { where: live, size: PAGE });

/** What routes match of an invocation; undefined if its alert was deleted. */
export function firingOf(deps: Deps, invocation: Invocation): Firing | undefined {
  const alert = deps.alerts.definition(invocation.alert);
  if (!alert) return undefined;
  const groups = deps.servers.anywhere(invocation.server)?.groups ?? invocation.groups;
  return firingBy(deps.definitions.all(groupRecords), alert, { ...invocation, groups });
}

type About = Pick<Invocation, "server" | "subject" | "category" | "groups">;

/** What routes match of a firing. `known`: all groups, in their order. */
export function firingBy(known: readonly { readonly id: string }[], alert: Alert, about: About): Firing {
  const { server, subject, groups, category = "" } = about;
  return {
    severity: severityOf(alert, subject),
    subject: kindOf(alert),
    alert: alert.id,
    tags: alert.tags ?? [],
    groups: known.flatMap(({ id }) => (groups.includes(id) ? [id] : [])),
    server,
    category,
    place: placeOf(about),
  };
}

/** Seconds after which a server that was not seen no longer counts. */
const SEEN_SEC = 7 * 86_400;
/** Maximum servers to count: callers only need to know whether there is more than one. */
const ENOUGH = 2;

/**
 * Number of subjects that an alert can have; counts at most two servers. An ephemeral server counts only while it is connected.
 */
export async function possibleSubjects(tx: ReadTx, deps: Deps, alert: Alert): Promise<number> {
  const source = sourceOf(deps, kindOf(alert));
  if (source) return source.countOf((about) => isForPlace(alert, { groups: [], about }));
  const isMeant = ({ enabled, groups }: Server): boolean => Boolean(enabled) && isInScope(alert.groups, groups);
  const found = new Set(
    deps.servers
      .everywhere()
      .filter(isMeant)
      .map(({ id }) => id),
  );
  if (found.size >= ENOUGH) return ENOUGH;
  for await (const servers of seenServers(tx, deps, alert))
    for (const server of servers) {
      if (isMeant(server) && !deps.servers.isEphemeral(server)) found.add(server.id);
      if (found.size >= ENOUGH) return ENOUGH;
    }
  return found.size;
}

/** Servers in the scope of an alert that were modified recently, page by page. */
function seenServers(tx: ReadTx, { clock }: Pick<Deps, "clock">, { groups }: Pick<Alert, "groups">) {
  const seen: SearchNode[] = [
    above("modified", clock.now() - SEEN_SEC),
    ...(groups && groups.length > 0 ? [hasWord("groups", groups)] : []),
  ];
  return pagesById((work) => work(tx), serverRecords, { where: allOf(seen), size: PAGE });
}

/**
 * Invocations of members that a person can take over. A firing that has ended or was deleted will be no member at the next
 * decision. Of a flapping firing this is the newest invocation, even while it is quiet.
 */
export async function firingsToTake(
  tx: ReadTx,
  members: readonly Pick<Member, "ended" | "flap" | "invocation">[],
): Promise<Invocation[]> {
  const live = members.filter(isLive);
  const found = await tx.collection(invocationRecords).getMany(live.map(latestOf));
  return live.flatMap((member, at) => {
    const invocation = found[at];
    return invocation && (invocation.active || flapOf(member) !== undefined) ? [invocation] : [];
  });
}
