import type { Server } from "../../../fleet/servers/model.ts";
import { serverRecords } from "../../../fleet/servers/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import { storageErrorIn } from "../../../kernel/errors/errors.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { byId } from "../../../lib/by-id.ts";
import { hasPassed } from "../../../lib/time/has-passed.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { hasWord, type SearchNode } from "../../../search/ast.ts";
import { activeJobCollection, serverPlaceCollection } from "../collection.ts";
import type { JobChange, JobDesk } from "../lifecycle/job-desk.ts";
import type { JobMonitor } from "../lifecycle/monitor.ts";
import { type Claims, createClaims } from "./claims.ts";
import { followNews } from "./place-news.ts";

/**
 * The node to which each server is connected, if several nodes share a storage: a job is started by the node that can reach its
 * server, and jobs that ran inside a killed node are found within seconds.
 */
export interface JobPlaces {
  /** A server has connected to this node; `isLocal`: its agent runs in this process. */
  joined(server: string, options: { readonly isLocal: boolean }): void;
  left(server: string): void;
  /** True if jobs of this server end with this process. */
  isLocal(server: string): boolean;
  /** The other node to which a server is connected, as far as this node knows. */
  nodeOf(server: string): string | undefined;
  /** A server of another node, as it was recently stored. */
  find(server: string): Server | undefined;
  /** Like `nodeOf`, but read from the storage: this node may not know yet of a server that has just connected. */
  findNode(tx: ReadTx, server: string): Promise<string | undefined>;
  /** Servers of other nodes, as they were recently stored. */
  elsewhere(): readonly Server[];
  /** Servers that recently disconnected from one of several nodes: they may be about to connect to the next one. */
  expected(): readonly Server[];
  /** Unix seconds of the start of this engine, as long as servers may not have connected again since. */
  earlySince(): number | undefined;
  /** Those servers that have since connected to another node; this node writes nothing more for them. */
  goneElsewhere(tx: ReadTx, servers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reads which servers are connected to which nodes. For every node, every few seconds. */
  read(now: number): Promise<void>;
  /** Ends the jobs of dead nodes. For the leader, every few seconds. */
  look(): Promise<void>;
  /** Ends the jobs that this node, which is stopping, leaves behind, and removes it from the places, so that no node asks it. */
  leave(): Promise<void>;
}

interface Tools {
  readonly desk: JobDesk;
  readonly monitor: JobMonitor;
}

/** Seconds after which stored servers are read again. */
const FRESH_SEC = 30;
/** Seconds. A satellite that a node sends away reconnects within this time. */
const EXPECTED_SEC = 10;
/** Seconds. Servers need this long to reconnect after a start of the engine. */
const REJOIN_SEC = 45;
const LOST = "The job was lost when the node that ran it ended.";
const MAX_JOBS = 10_000;

interface Known {
  readonly node: string;
  readonly server: Server;
  readonly readAt: number;
}

type Deps = Pick<
  Cradle,
  "clock" | "events" | "jobs" | "log" | "nodes" | "servers" | "snapshot" | "storage" | "transact"
>;

interface Context extends Tools {
  readonly deps: Deps;
  /** Unix seconds. */
  readonly startedAt: number;
  /** The places of servers that are connected to this node. */
  readonly own: Claims;
  others: ReadonlyMap<string, Known>;
  /** Servers that have disconnected from a node and are expected back, with the Unix seconds of that. */
  readonly away: Map<string, { readonly server: Server; readonly at: number }>;
}

export function createPlaces(deps: Deps, tools: Tools): JobPlaces {
  const { shared } = deps.storage.coordination;
  const startedAt = deps.clock.now();
  const context: Context = { ...tools, deps, startedAt, own: createClaims(deps), others: new Map(), away: new Map() };
  const { own } = context;
  let news: Disposable | undefined;
  let hasLeft = false;
  // A node that considered this one dead has forgotten its servers.
  const beats = deps.nodes.onBeat(({ wasKnown }) => (wasKnown ? undefined : own.again()));
  return {
    joined(server, options) {
      context.away.delete(server);
      own.joined(server, options);
    },
    left(server) {
      noteLeft(context, server);
      own.left(server);
    },
    isLocal: own.isLocal,
    goneElsewhere: own.goneElsewhere,
    ...createView(context),
    async read(now) {
      if (!shared || hasLeft) return;
      news ??= await followNews(deps, {
        known: () => [...context.others.keys(), ...own.all()],
        read: (ids) => readOthers(context, deps.clock.now(), ids),
      });
      await readOthers(context, now);
      own.retry();
    },
    look: async () => (shared ? findDead(context) : undefined),
    async leave() {
      if (!shared || hasLeft) return;
      hasLeft = true;
      beats[Symbol.dispose]();
      news?.[Symbol.dispose]();
      await leave(context);
    },
  };
}

type View = Pick<JobPlaces, "earlySince" | "elsewhere" | "expected" | "find" | "findNode" | "nodeOf">;

/** Servers of a silent node count as off line, even if its jobs have not been ended yet. */
function createView(context: Context): View {
  const { clock, nodes, storage } = context.deps;
  const { own, startedAt } = context;
  const foreign = (server: string): Known | undefined => {
    const known = own.has(server) ? undefined : context.others.get(server);
    return known && nodes.find(known.node) ? known : undefined;
  };
  return {
    nodeOf: (server) => foreign(server)?.node,
    find: (server) => foreign(server)?.server,
    async findNode(tx, server) {
      if (!storage.coordination.shared || own.has(server)) return undefined;
      const node = (await tx.collection(serverPlaceCollection).get(server))?.node;
      return node === nodeOf(context) ? undefined : node;
    },
    expected: () => expected(context),
    earlySince: () => (hasPassed(startedAt, REJOIN_SEC, clock.now()) ? undefined : startedAt),
    elsewhere() {
      const live = new Set(nodes.live().map(({ id }) => id));
      const there = [...context.others.values()].filter(({ node, server }) => live.has(node) && !own.has(server.id));
      return there.map(({ server }) => server);
    },
  };
}

function expected({ away, deps }: Context): Server[] {
  const now = deps.clock.now();
  // A server that disconnects from the only node has no other node to connect to.
  return deps.nodes.hasPeers()
    ? [...away.values()].flatMap(({ server, at }) => (hasPassed(at, EXPECTED_SEC, now) ? [] : [server]))
    : [];
}

/** Notes that a server has disconnected from this node. */
function noteLeft({ away, deps }: Context, id: string): void {
  const { clock, servers, storage } = deps;
  const server = servers.get(id) ?? servers.recent().find((each) => each.id === id);
  if (server && storage.coordination.shared) away.set(id, { server, at: clock.now() });
}

const nodeOf = ({ deps }: Context): string => deps.storage.coordination.nodeId;
const ofNode = (node: string) => hasWord("node", node);

async function readOthers(context: Context, now: number, changed: ReadonlySet<string> = new Set()): Promise<void> {
  const { snapshot } = context.deps;
  const here = [...changed].filter(context.own.has);
  const { free, others, places } = await snapshot(async (tx) => {
    const elsewhere: SearchNode = { kind: "not", node: ofNode(nodeOf(context)) };
    const { rows } = await tx.collection(serverPlaceCollection).find(elsewhere);
    const known = context.others;
    const isFresh = (id: string): boolean => !changed.has(id) && !hasPassed(known.get(id)?.readAt ?? 0, FRESH_SEC, now);
    const stale = rows.filter(({ id }) => !isFresh(id)).map(({ id }) => id);
    const read = await tx.collection(serverRecords).getMany(stale);
    const fresh = byId(read);
    const others = rows.flatMap(({ id, node }): [string, Known][] => {
      const before = known.get(id);
      const server = fresh.get(id) ?? before?.server;
      return server ? [[id, { node, server, readAt: fresh.has(id) ? now : (before?.readAt ?? 0) }]] : [];
    });
    const own = await tx.collection(serverPlaceCollection).getMany(here);
    return { free: here.filter((_id, index) => !own[index]), others: new Map(others), places: rows };
  });
  noteAway(context, others, now);
  context.others = others;
  context.own.compare(places);
  context.own.reclaim(free);
}

function noteAway({ away, others: before, own }: Context, others: Context["others"], now: number): void {
  for (const [id, { at }] of away) if (hasPassed(at, EXPECTED_SEC, now) || others.has(id)) away.delete(id);
  for (const [id, { server }] of before) if (!others.has(id) && !own.has(id)) away.set(id, { server, at: now });
}

async function findDead(context: Context): Promise<void> {
  for (const { id, host } of context.deps.nodes.silent()) {
    await bury(context, id);
    context.deps.events.emit("node.buried", { id, host });
  }
}

/** Cleans up after a dead node. */
async function bury(context: Context, node: string): Promise<void> {
  const { log, nodes, storage } = context.deps;
  log.warn({ node }, "A node is silent: its jobs are taken for lost");
  await endJobs(context, node);
  // Before its work is freed: work for a server is pinned to the node at the server's place, and nobody frees it again.
  await forgetPlaces(context.deps, node);
  await storage.work.free(node);
  // Comes last: as long as the node has its row, a leader cleans up the rest.
  await nodes.forget(node);
}

async function leave(context: Context): Promise<void> {
  const node = nodeOf(context);
  // Nothing finds them later, because this node takes its row along.
  await endJobs(context, node);
  await forgetPlaces(context.deps, node);
}

/** Ends the jobs inside a node, which ended with it; retry limits decide about retries. */
async function endJobs({ deps, desk, monitor }: Context, node: string): Promise<void> {
  const { clock, jobs, log, snapshot } = deps;
  const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find(ofNode(node), { limit: MAX_JOBS }));
  const breathe = createBreath(clock, jobs.stopping);
  const ofThisNode: JobChange = (_unit, record) => (record.node === node ? record : undefined);
  for (const { id } of rows) {
    await monitor.tell(id, { kind: "lost", reason: LOST }, ofThisNode).catch((error: unknown) => {
      // A failing storage makes the whole pass start again. A single faulty job must not keep the rest of its node from being
      // cleaned up.
      if (storageErrorIn(error)) throw error;
      log.error(
        { job: id, node, error },
        "A job of a node that ended could not be ended; it is left to be found as dead",
      );
    });
    desk.live.drop(id);
    await breathe();
  }
}

const forgetPlaces = ({ transact }: Pick<Cradle, "transact">, node: string): Promise<void> =>
  transact(async ({ tx }) => {
    const places = tx.collection(serverPlaceCollection);
    for (const { id } of (await places.find(ofNode(node))).rows) await places.delete(id);
  });
