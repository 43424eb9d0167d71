import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { eventCollection } from "../../events/collection.ts";
import { groupCollection } from "../../groups/collection.ts";
import { monitorCollection } from "../../monitors/collection.ts";
import type { Server } from "../../servers/model.ts";
import { activeJobCollection, eventHistoryCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";
import type { ChosenServer, StartChoice, StartFacts } from "../rules/lifecycle.ts";
import { startLimits } from "../rules/limits.ts";
import { scopeOf } from "../rules/scope.ts";
import { chooseServer, monitorOf, type Readings, resolveTargets, serverCap } from "../rules/targets.ts";

type Deps = Pick<Cradle, "definitions" | "expressions" | "random" | "servers">;

export interface Gathered {
  readonly facts: StartFacts;
  /** Why no server qualified, for the meta log. */
  readonly notes: readonly string[];
}

const term = (field: string, ...words: string[]): SearchNode => ({ kind: "term", field, words });
const both = (...nodes: SearchNode[]): SearchNode => ({ kind: "and", nodes });

/** Active jobs that match, counted by the index alone. */
export async function countActive(tx: ReadTx, where: SearchNode): Promise<number> {
  return (await tx.collection(activeJobCollection).find(where, { limit: 1 })).total;
}

export const similarRunning = (scope: string): SearchNode =>
  both(term("scope", scope), term("state", "starting", "active"));
export const similarQueued = (scope: string): SearchNode => both(term("scope", scope), term("state", "queued"));

/** Key that serialises everybody who counts similar jobs. */
export const scopeLock = (scope: string): string => `jobs:scope:${scope}`;

/** Collects what decides whether a ready job may start, and where. */
export async function gatherFacts(
  deps: Deps,
  unit: Unit,
  record: ActiveJob,
  options: { canWait: boolean },
): Promise<Gathered> {
  const { job } = record;
  const limits = startLimits(job.limits ?? []);
  const scope = scopeOf(job);
  const isLimited = limits.concurrent !== undefined || limits.queue > 0;
  if (isLimited) await unit.tx.lock(scopeLock(scope));
  const running = isLimited ? await countActive(unit.tx, similarRunning(scope)) : 0;
  const queued = isLimited ? await countActive(unit.tx, similarQueued(scope)) : 0;
  const { choice, notes } = await choose(deps, unit, record);
  const wait: StartChoice = choice.kind === "none" && options.canWait ? { kind: "wait" } : choice;
  return { facts: { refusal: refusalOf(deps, record), limits, running, queued, choice: wait }, notes };
}

function refusalOf({ definitions }: Deps, { job }: ActiveJob): string | undefined {
  const event = definitions.get(eventCollection, job.event);
  if (!event) return `Event was deleted: ${job.event}`;
  return event["enabled"] || job["test"] ? undefined : `Event was disabled: ${event.title}`;
}

interface Chosen {
  readonly choice: StartChoice;
  readonly notes: readonly string[];
}

async function choose(deps: Deps, unit: Unit, record: ActiveJob): Promise<Chosen> {
  const { job } = record;
  const kept = job.server === undefined ? undefined : deps.servers.get(job.server);
  if (kept?.enabled) return { choice: { kind: "chosen", server: brief(kept) }, notes: [] };
  const { servers, notes } = await candidatesOf(deps, unit.tx, record);
  const algo = job.algo ?? "";
  const isRobin = algo === "round_robin";
  const histories = unit.tx.collection(eventHistoryCollection);
  if (isRobin) await unit.tx.lock(historyLock(job.event));
  const history = isRobin ? await histories.get(job.event) : undefined;
  const readings = await readingsOf(deps, unit.tx, { algo, servers });
  const random = (): number => deps.random.fraction();
  const choice = chooseServer(servers, algo, { random, robin: history?.robin ?? 0, readings });
  if (choice.kind === "chosen" && choice.robin !== undefined) {
    const { robin } = choice;
    if (history) await histories.update(job.event, (stored) => ({ ...stored, robin }));
    else await histories.insert({ id: job.event, robin });
  }
  return { choice: choice.kind === "chosen" ? { kind: "chosen", server: brief(choice.server) } : choice, notes };
}

export const historyLock = (event: string): string => `jobs:history:${event}`;

const brief = ({ id, hostname, title, groups }: Server): ChosenServer => ({ id, name: title || hostname, groups });

/** Is there a server that could take this job now? For the queue, which asks before it lets one go. */
export async function hasCandidate(deps: Deps, tx: ReadTx, record: ActiveJob): Promise<boolean> {
  return (await candidatesOf(deps, tx, record)).servers.length > 0;
}

async function candidatesOf(
  deps: Deps,
  tx: ReadTx,
  record: ActiveJob,
): Promise<{ servers: Server[]; notes: string[] }> {
  const { definitions, expressions } = deps;
  const named = resolveTargets(record.job.targets ?? [], deps.servers.active());
  const free: Server[] = [];
  for (const server of named) {
    const groupCaps = server.groups.map((id) => definitions.get(groupCollection, id)?.max_jobs_per_server);
    const cap = serverCap(server.maxJobs, groupCaps);
    if (cap === undefined || (await weightOn(tx, server.id, record)) <= cap) free.push(server);
  }
  const { expression } = record.job;
  if (!expression) return { servers: free, notes: [] };
  try {
    const compiled = expressions.compile(expression);
    return { servers: free.filter((server) => Boolean(compiled.evaluate(server))), notes: [] };
  } catch (error) {
    // An expression that fails must not let the job run on a machine that nobody meant.
    const reason = error instanceof Error ? error.message : String(error);
    return { servers: [], notes: [`Server expression failed: ${reason}`] };
  }
}

/** What the jobs of a server weigh, this one included. */
async function weightOn(tx: ReadTx, server: string, record: ActiveJob): Promise<number> {
  const { rows } = await tx.collection(activeJobCollection).find(term("server", server));
  const others = rows.filter(({ id }) => id !== record.id);
  return [record, ...others].reduce((sum, { job }) => sum + startLimits(job.limits ?? []).weight, 0);
}

async function readingsOf(
  deps: Deps,
  tx: ReadTx,
  { algo, servers }: { algo: string; servers: readonly Server[] },
): Promise<Readings> {
  const jobs = new Map<string, number>();
  if (algo === "fewest_jobs") for (const { id } of servers) jobs.set(id, await countActive(tx, term("server", id)));
  const byId = new Map(servers.map((server) => [server.id, server]));
  return {
    load: (id) => numberAt(byId.get(id)?.info, "cpu", "avgLoad"),
    memory: (id) => numberAt(byId.get(id)?.info, "memory", "active"),
    jobs: (id) => jobs.get(id) ?? 0,
    monitor: monitorReading(deps, algo),
  };
}

function monitorReading({ definitions, servers }: Deps, algo: string): Readings["monitor"] {
  const id = monitorOf(algo);
  const monitor = id === undefined ? undefined : definitions.get(monitorCollection, id);
  if (!monitor) return undefined;
  const part = monitor.delta ? "deltas" : "monitors";
  return (server) => numberAt(servers.latest(server)?.data, part, monitor.id);
}

function numberAt(source: unknown, part: string, member: string): number {
  const value = (source as Record<string, Record<string, unknown> | undefined> | undefined)?.[part]?.[member];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
