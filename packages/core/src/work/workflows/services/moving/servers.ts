import { reachesServer } from "../../../../directory/access/rules/reach.ts";
import type { Server } from "../../../../fleet/servers/model.ts";
import { serverRecords } from "../../../../fleet/servers/records.ts";
import { resolveTargets } from "../../../../fleet/servers/rules/targets.ts";
import { pagesById } from "../../../../kernel/searches/pages-by-id.ts";
import { messageOf } from "../../../../lib/message-of.ts";
import type { ReadTx } from "../../../../ports/storage/storage.ts";
import { hasWord } from "../../../../search/ast.ts";
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
  const connected = deps.servers.everywhere();
  const found = resolveTargets(names, [...connected, ...(await returning(deps, names, record.job.started))]).filter(
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

/** Seconds. A server says something each minute: one that was silent for longer had gone before the engine ended. */
const SILENT_SEC = 120;
const PAGE = 200;

/**
 * Named servers that seem to be connecting again, so that their jobs wait for them: servers that have just left a node, and,
 * right after a start of the engine, servers that were there before it, or when the workflow started.
 */
async function returning(deps: OrderDeps, names: readonly string[], begunAt: number): Promise<readonly Server[]> {
  const { jobs, servers, snapshot } = deps;
  const since = jobs.places.earlySince();
  const found = jobs.places.expected().filter(({ id }) => !servers.anywhere(id));
  if (since === undefined) return found;
  const heardSince = Math.min(since, begunAt) - SILENT_SEC;
  const isReturning = async (tx: ReadTx, { id, modified }: Server): Promise<boolean> =>
    !servers.anywhere(id) && (modified >= heardSince || ((await servers.lastMinuteAt(tx, id)) ?? 0) >= heardSince);
  const take = (read: (tx: ReadTx) => Promise<readonly (Server | undefined)[]>): Promise<void> =>
    snapshot(async (tx) => {
      for (const server of await read(tx)) if (server && (await isReturning(tx, server))) found.push(server);
    });
  await take((tx) => tx.collection(serverRecords).getMany(names));
  const groups = hasWord("groups", names);
  for await (const page of pagesById(snapshot, serverRecords, { where: groups, size: PAGE }))
    await take(async () => page);
  return found;
}
