import { reachesServer } from "../../../../directory/access/rules/reach.ts";
import { resolveTargets } from "../../../../fleet/servers/rules/targets.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import { runsJobs } from "../../rules/graph/graph-index.ts";
import type { OrderDeps } from "./orders.ts";
import type { Known } from "./questions.ts";

export type FoundServers = readonly string[] | { readonly aborts: string };

interface Wanted {
  readonly node: string;
  /** Yields to other work. */
  readonly breathe: () => Promise<void>;
}

/** Servers on which a multiplexer starts a job each, without duplicates (docs/contract/workflows.md#multiplex). */
export async function serversFor(deps: OrderDeps, known: Known, { node: id, breathe }: Wanted): Promise<FoundServers> {
  const { graph, facts, record } = known;
  const node = graph.node(id);
  if (!runsJobs(node)) return [];
  const { event, limited } = await deps.snapshot(async (tx) => ({
    event: node.type === "event" ? await deps.eventRecords.fresh(tx, node.data.event) : undefined,
    limited: await deps.alerts.limitedServers(tx),
  }));
  const own = node.data.targets ?? [];
  const names = [facts.targets, own, event?.targets ?? []].find((list) => list.length > 0);
  if (!names) return { aborts: "No targets found for multiplex controller." };
  const found = resolveTargets(names, deps.servers.everywhere()).filter(
    (server) => server.enabled && !limited.has(server.id) && reachesServer(record.reach, server),
  );
  const expression = node.data.expression || event?.expression;
  if (!expression) return found.map((server) => server.id);
  const suited: string[] = [];
  try {
    const compiled = deps.expressions.compile(expression);
    for (const server of found) {
      if (compiled.evaluate(server)) suited.push(server.id);
      await breathe();
    }
    return suited;
  } catch (error) {
    return { aborts: `Failed to evaluate target expression: ${messageOf(error)}` };
  }
}
