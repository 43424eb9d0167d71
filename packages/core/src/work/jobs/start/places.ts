import type { Server } from "../../../fleet/servers/model.ts";
import { serverRecords } from "../../../fleet/servers/records.ts";
import { createBreath } from "../../../kernel/breath.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { activeJobCollection, jobNodeCollection, serverPlaceCollection } from "../collection.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { JobMonitor } from "../lifecycle/monitor.ts";

/**
 * Which node holds the connection of which server, where several nodes share a storage: a job is started by the node
 * that can talk to its server, and what ran inside a node that was killed is found within seconds.
 */
export interface JobPlaces {
  /** A server connected here; `isLocal`: its agent lives in this process. */
  joined(server: string, options: { readonly isLocal: boolean }): void;
  left(server: string): void;
  /** The jobs of this server end with this process. */
  isLocal(server: string): boolean;
  /** The other node that a server is connected to, as far as it is known here. */
  nodeOf(server: string): string | undefined;
  /** The same as it is stored: a server that came a moment ago is not known here yet. */
  findNode(tx: ReadTx, server: string): Promise<string | undefined>;
  /** Whether other nodes live, as far as it is known here. */
  hasNeighbours(): boolean;
  /** Servers of other nodes, as they were stored a moment ago. */
  elsewhere(): readonly Server[];
  /** Says that this node lives, and looks who is where. For every node, every few seconds. */
  beat(now: number): Promise<void>;
  /** Looks for nodes that live no more. For the leader, every few seconds. */
  look(): Promise<void>;
  /** This node ends: nobody asks it for anything any more. */
  leave(): Promise<void>;
}

interface Tools {
  readonly desk: JobDesk;
  readonly monitor: JobMonitor;
}

/** A node that says nothing for so long is dead: five beats. */
const SILENT_MS = 15_000;
/** Stored servers are read anew after this time. Seconds. */
const FRESH_SEC = 30;
const LOST = "The job was lost when the node that ran it ended.";
const MAX_JOBS = 10_000;

interface Known {
  readonly node: string;
  readonly server: Server;
  readonly readAt: number;
}

type Deps = Pick<Cradle, "clock" | "jobs" | "log" | "snapshot" | "storage" | "transact">;

interface Context extends Tools {
  readonly deps: Deps;
  /** Servers connected here, and whether their agent lives in this process. */
  readonly own: Map<string, boolean>;
  others: ReadonlyMap<string, Known>;
  hasNeighbours: boolean;
  /** What nodes said last, and when that was noticed here: clocks of machines differ. */
  readonly seen: Map<string, { readonly seen: number; readonly sinceMs: number }>;
}

export function createPlaces(deps: Deps, tools: Tools): JobPlaces {
  const { shared } = deps.storage.coordination;
  const context: Context = {
    ...tools,
    deps,
    own: new Map(),
    others: new Map(),
    hasNeighbours: shared,
    seen: new Map(),
  };
  const { own } = context;
  let hasLeft = false;
  const store = (server: string, change: () => Promise<void>): void => {
    if (shared)
      change().catch((error: unknown) => deps.log.warn({ server, error }, "The place of a server was not stored"));
  };
  return {
    joined(server, { isLocal }) {
      own.set(server, isLocal);
      store(server, () => claimPlaces(context, [server]));
    },
    left(server) {
      own.delete(server);
      store(server, () => givePlace(context, server));
    },
    isLocal: (server) => own.get(server) === true,
    nodeOf: (server) => (own.has(server) ? undefined : context.others.get(server)?.node),
    async findNode(tx, server) {
      if (!shared || own.has(server)) return undefined;
      const node = (await tx.collection(serverPlaceCollection).get(server))?.node;
      return node === nodeOf(context) ? undefined : node;
    },
    hasNeighbours: () => context.hasNeighbours,
    elsewhere: () => Array.from(context.others.values(), ({ server }) => server).filter(({ id }) => !own.has(id)),
    async beat(now) {
      if (!shared || hasLeft) return;
      const wasKnown = await sayAlive(context, now);
      // A node that took this one for dead has forgotten its servers.
      if (!wasKnown) await claimPlaces(context, [...own.keys()]);
      await readOthers(context, now);
    },
    async look() {
      if (shared) await findDead(context);
    },
    async leave() {
      if (!shared || hasLeft) return;
      hasLeft = true;
      await forgetNode(deps, nodeOf(context));
    },
  };
}

const nodeOf = ({ deps }: Context): string => deps.storage.coordination.nodeId;
const ofNode = (node: string): SearchNode => ({ kind: "term", field: "node", words: [node] });

async function claimPlaces(context: Context, servers: readonly string[]): Promise<void> {
  const node = nodeOf(context);
  if (servers.length === 0) return;
  await context.deps.transact(async ({ tx }) => {
    const places = tx.collection(serverPlaceCollection);
    for (const id of servers.filter((server) => context.own.has(server))) {
      if (await places.get(id)) await places.update(id, () => ({ id, node }));
      else await places.insert({ id, node });
    }
  });
}

async function givePlace(context: Context, id: string): Promise<void> {
  await context.deps.transact(async ({ tx }) => {
    const places = tx.collection(serverPlaceCollection);
    // It may have come back meanwhile, here or elsewhere.
    if ((await places.get(id))?.node === nodeOf(context) && !context.own.has(id)) await places.delete(id);
  });
}

/** False when this node had no row. */
async function sayAlive(context: Context, now: number): Promise<boolean> {
  const id = nodeOf(context);
  return context.deps.transact(async ({ tx }) => {
    const nodes = tx.collection(jobNodeCollection);
    const known = await nodes.get(id);
    if (known) await nodes.update(id, () => ({ id, seen: now }));
    else await nodes.insert({ id, seen: now });
    return known !== undefined;
  });
}

async function readOthers(context: Context, now: number): Promise<void> {
  const { snapshot } = context.deps;
  context.others = await snapshot(async (tx) => {
    context.hasNeighbours = (await tx.collection(jobNodeCollection).list()).length > 1;
    const elsewhere: SearchNode = { kind: "not", node: ofNode(nodeOf(context)) };
    const { rows } = await tx.collection(serverPlaceCollection).find(elsewhere);
    const known = context.others;
    const isFresh = (id: string): boolean => now - (known.get(id)?.readAt ?? 0) < FRESH_SEC;
    const stale = rows.filter(({ id }) => !isFresh(id)).map(({ id }) => id);
    const read = await tx.collection(serverRecords).getMany(stale);
    const fresh = new Map(read.flatMap((server) => (server ? [[server.id, server] as const] : [])));
    return new Map(
      rows.flatMap(({ id, node }): [string, Known][] => {
        const before = known.get(id);
        const server = fresh.get(id) ?? before?.server;
        return server ? [[id, { node, server, readAt: fresh.has(id) ? now : (before?.readAt ?? 0) }]] : [];
      }),
    );
  });
}

async function findDead(context: Context): Promise<void> {
  const { deps, seen } = context;
  const rows = await deps.snapshot((tx) => tx.collection(jobNodeCollection).list());
  const nowMs = deps.clock.monotonicMs();
  for (const { id, seen: said } of rows) {
    const before = seen.get(id);
    if (before?.seen !== said) seen.set(id, { seen: said, sinceMs: nowMs });
    else if (id !== nodeOf(context) && nowMs - before.sinceMs >= SILENT_MS) await bury(context, id);
  }
  for (const id of seen.keys()) if (!rows.some((row) => row.id === id)) seen.delete(id);
}

/** Its servers are nowhere, and its work there has ended; a retry limit decides what happens next. */
async function bury({ deps, desk, monitor, seen }: Context, node: string): Promise<void> {
  const { clock, jobs, log, snapshot } = deps;
  log.warn({ node }, "A node is silent: its jobs are taken for lost");
  const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find(ofNode(node), { limit: MAX_JOBS }));
  const breathe = createBreath(clock, jobs.stopping);
  for (const { id } of rows) {
    await monitor.tell(id, { kind: "lost", reason: LOST }, (_unit, record) =>
      record.node === node ? record : undefined,
    );
    desk.live.drop(id);
    await breathe();
  }
  // The last one that is done: as long as the node has its row, somebody looks after what it left.
  await deps.storage.work.free(node);
  await forgetNode(deps, node);
  seen.delete(node);
}

const forgetNode = ({ transact }: Pick<Cradle, "transact">, node: string): Promise<void> =>
  transact(async ({ tx }) => {
    const places = tx.collection(serverPlaceCollection);
    for (const { id } of (await places.find(ofNode(node))).rows) await places.delete(id);
    await tx.collection(jobNodeCollection).delete(node);
  });
