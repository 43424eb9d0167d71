import { reachesServer } from "../../../directory/access/rules/reach.ts";
import { resolveTargets } from "../../../fleet/servers/rules/targets.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { FoundServers } from "../rules/controllers.ts";
import { runsJobs } from "../rules/graph-index.ts";
import type { OrderDeps } from "./orders.ts";
import type { Session } from "./session.ts";

/** Servers that a multiplexer starts a job on, each once (docs/contract/workflows.md#multiplex). */
export async function serversFor(deps: OrderDeps, session: Session, id: string): Promise<FoundServers> {
  const { unit, graph, facts, record } = session;
  const node = graph.node(id);
  if (!runsJobs(node)) return [];
  const event = node.type === "event" ? await deps.eventRecords.fresh(unit.tx, node.data.event) : undefined;
  const own = node.data.targets ?? [];
  const names = [facts.targets, own, event?.targets ?? []].find((list) => list.length > 0);
  if (!names) return { aborts: "No targets found for multiplex controller." };
  const limited = await deps.alerts.limitedServers(unit.tx);
  const known = [...deps.servers.active(), ...deps.jobs.places.elsewhere()];
  const found = resolveTargets(names, known).filter(
    (server) => server.enabled && !limited.has(server.id) && reachesServer(record.reach, server),
  );
  const expression = node.data.expression || event?.expression;
  if (!expression) return found.map((server) => server.id);
  try {
    const compiled = deps.expressions.compile(expression);
    return found.filter((server) => Boolean(compiled.evaluate(server))).map((server) => server.id);
  } catch (error) {
    return { aborts: `Failed to evaluate target expression: ${messageOf(error)}` };
  }
}
