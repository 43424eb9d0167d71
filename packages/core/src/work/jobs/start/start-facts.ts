import { reachesServer } from "../../../directory/access/rules/reach.ts";
import { groupRecords } from "../../../directory/groups/records.ts";
import { monitorRecords } from "../../../fleet/monitors/records.ts";
import type { Server } from "../../../fleet/servers/model.ts";
import { lacksBuiltIn } from "../../../fleet/servers/rules/built-ins.ts";
import { resolveTargets } from "../../../fleet/servers/rules/targets.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { messageOf } from "../../../lib/message-of.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { allOf, hasWord, type SearchNode } from "../../../search/ast.ts";
import type { Event, EventHistory } from "../../events/model.ts";
import { activeJobCollection, MAX_WORD } from "../collection.ts";
import type { ChosenServer, StartChoice, StartFacts } from "../lifecycle/rules/transition.ts";
import { type StartLimits, startLimits } from "../limits/rules/limits.ts";
import type { ActiveJob } from "../model.ts";
import { startLimitsOf } from "./rules/overlap.ts";
import { scopeOf } from "./rules/scope.ts";
import { chooseServer, monitorOf, type Readings, serverCap } from "./rules/targets.ts";

export type FactDeps = Pick<
  Cradle,
  "alerts" | "definitions" | "eventRecords" | "eventStates" | "expressions" | "jobs" | "random" | "servers"
>;
type Deps = FactDeps;

export interface Gathered {
  readonly facts: StartFacts;
  /** Why no server is eligible, for the meta log. */
  readonly notes: readonly string[];
}

/** Number of active jobs that match, counted by the index alone. */
export async function countActive(tx: ReadTx, where: SearchNode): Promise<number> {
  return (await tx.collection(activeJobCollection).find(where, { limit: 1 })).total;
}

const similarRunning = (scope: string): SearchNode =>
  allOf([hasWord("scope", scope), hasWord("state", ["starting", "active"])]);
export const similarQueued = (scope: string): SearchNode => hasWord("line", scope.slice(0, MAX_WORD));

/** Key of the lock that serialises all counts of similar jobs. */
export const scopeLock = (scope: string): string => `jobs:scope:${scope}`;

/** True if the start of the job counts similar jobs. */
export const isCounted = ({ concurrent, queue }: StartLimits): boolean => concurrent !== undefined || queue > 0;

/** Collects the facts that determine whether a ready job may start, and on which server. */
export async function gatherFacts(
  deps: Deps,
  unit: Unit,
  record: ActiveJob,
  options: { canWait: boolean },
): Promise<Gathered> {
  const { job } = record;
  const limits = startLimitsOf(job);
  const scope = scopeOf(job);
  const isLimited = isCounted(limits);
  if (isLimited) await unit.tx.lock(scopeLock(scope));
  const running = isLimited ? await countActive(unit.tx, similarRunning(scope)) : 0;
  const queued = isLimited ? await countActive(unit.tx, similarQueued(scope)) : 0;
  const refusal = await refusalOf(deps, unit.tx, record);
  const facts = { refusal, limits, running, queued };
  // A job that does not start must not advance the round-robin index.
  if (refusal !== undefined || (limits.concurrent !== undefined && running >= limits.concurrent))
    return { facts: { ...facts, choice: { kind: "none" } }, notes: [] };
  const { choice, notes } = await choose(deps, unit, record);
  const mayWait = choice.kind === "none" && (options.canWait || isExpected(deps, record));
  return { facts: { ...facts, choice: mayWait ? { kind: "wait" } : choice }, notes };
}

/** Before a refusal, the stored event is read, because memory may lag behind another node's change. */
async function refusalOf({ eventRecords }: Deps, tx: ReadTx, { job }: ActiveJob): Promise<string | undefined> {
  const mayRun = (event: Event): boolean => Boolean(event.enabled || job.test || job.type === "adhoc");
  const known = eventRecords.get(job.event);
  if (known && mayRun(known)) return undefined;
  const event = await eventRecords.read(tx, job.event);
  if (!event) return `Event was deleted: ${job.event}`;
  return mayRun(event) ? undefined : `Event was disabled: ${event.title}`;
}

/** True if a server that the job could use seems to be moving between two nodes. */
const isExpected = ({ jobs }: Deps, { job, reach }: ActiveJob): boolean =>
  resolveTargets(namesOf(job), jobs.places.expected()).some((server) => reachesServer(reach, server));

interface Chosen {
  readonly choice: StartChoice;
  readonly notes: readonly string[];
}

async function choose(deps: Deps, unit: Unit, record: ActiveJob): Promise<Chosen> {
  const { job } = record;
  if (job.type === "workflow") return { choice: { kind: "engine" }, notes: [] };
  const kept = job.server === undefined ? undefined : deps.servers.anywhere(job.server);
  if (kept?.enabled && reachesServer(record.reach, kept))
    return { choice: { kind: "chosen", server: brief(kept) }, notes: [] };
  const { servers, notes } = await candidatesOf(deps, unit, record);
  const algo = typeof job.algo === "string" ? job.algo : "";
  const robin = algo === "round_robin" && servers.length > 0 ? await readRobin(deps, unit, job.event) : undefined;
  const readings = await readingsOf(deps, unit.tx, { algo, servers });
  const random = (): number => deps.random.fraction();
  const choice = chooseServer(servers, algo, { random, robin: robin?.robin ?? 0, readings });
  if (choice.kind !== "chosen") return { choice, notes };
  const { robin: next } = choice;
  if (next !== undefined)
    await deps.eventStates.writeHistory(unit.tx, job.event, (history) => ({ ...history, robin: next }));
  return { choice: { kind: "chosen", server: brief(choice.server) }, notes };
}

/**
 * This lock is taken last, and only for a job that starts, because the end of a job takes the locks of a launch before this one.
 */
async function readRobin({ eventStates }: Deps, { tx }: Unit, event: string): Promise<EventHistory> {
  await eventStates.lockHistory(tx, event);
  return eventStates.readHistory(tx, event);
}

const brief = ({ id, hostname, title, groups }: Server): ChosenServer => ({ id, name: title || hostname, groups });

/** Whether a server could take the job now. The queue checks this before it lets a job leave. A workflow needs no server. */
export async function hasCandidate(deps: Deps, unit: Unit, record: ActiveJob): Promise<boolean> {
  if (record.job.type === "workflow") return true;
  return (await candidatesOf(deps, unit, record)).servers.length > 0;
}

/** Whether a server could take this job once the jobs that fill it have ended. */
export async function hasTarget(deps: Deps, unit: Unit, record: ActiveJob): Promise<boolean> {
  if (record.job.type === "workflow") return true;
  const { servers } = await ableServers(deps, unit, record);
  return evaluate(deps, servers, record.job.expression).servers.length > 0;
}

interface Candidates {
  readonly servers: readonly Server[];
  readonly notes: readonly string[];
}

async function candidatesOf(deps: Deps, unit: Unit, record: ActiveJob): Promise<Candidates> {
  const { servers, notes } = await ableServers(deps, unit, record);
  if (notes.length > 0) return { servers, notes };
  return evaluate(deps, await withRoom(deps, unit, { record, servers }), record.job.expression);
}

/** Targets that can run the job and accept new ones, regardless of what runs there. */
async function ableServers(deps: Deps, unit: Unit, record: ActiveJob): Promise<Candidates> {
  const limited = await deps.alerts.limitedServers(unit.tx);
  const named = namedBy(deps, namesOf(record.job)).filter((server) => reachesServer(record.reach, server));
  const { command } = record.job as { readonly command?: unknown };
  const able = named.filter((server) => !lacksBuiltIn(server, command));
  if (named.length > 0 && able.length === 0) return { servers: [], notes: [`None of the targets has ${command}`] };
  return { servers: able.filter(({ id }) => !limited.has(id)), notes: [] };
}

const namesOf = ({ targets }: { readonly targets?: unknown }): readonly string[] | string =>
  Array.isArray(targets) || typeof targets === "string" ? targets : [];

/** Jobs of a multiplexer name a single server, so the others need not be searched. */
function namedBy({ servers }: Deps, names: readonly string[] | string): readonly Server[] {
  const [only = ""] = names;
  const server = Array.isArray(names) && names.length === 1 ? servers.anywhere(only) : undefined;
  return server ? resolveTargets(names, [server]) : resolveTargets(names, servers.everywhere());
}

/** Servers with enough capacity for the weight of the job. */
async function withRoom(
  { definitions }: Deps,
  { tx }: Unit,
  { record, servers }: { readonly record: ActiveJob; readonly servers: readonly Server[] },
): Promise<readonly Server[]> {
  const capOf = ({ groups, maxJobs }: Server): number | undefined =>
    serverCap(
      maxJobs,
      groups.map((id) => definitions.get(groupRecords, id)?.max_jobs_per_server),
    );
  const caps = servers.map(capOf);
  if (caps.every((cap) => cap === undefined)) return servers;
  // Two jobs must not both take the last room of a server.
  await tx.lock(ROOM_LOCK);
  const free: Server[] = [];
  for (const [index, server] of servers.entries()) {
    const cap = caps[index];
    if (cap === undefined || (await weightOn(tx, server.id, record)) <= cap) free.push(server);
  }
  return free;
}

const ROOM_LOCK = "jobs:room";

function evaluate({ expressions }: Deps, servers: readonly Server[], expression: unknown): Candidates {
  if (typeof expression !== "string" || expression.trim() === "") return { servers, notes: [] };
  try {
    const compiled = expressions.compile(expression);
    return { servers: servers.filter((server) => Boolean(compiled.evaluate(server))), notes: [] };
  } catch (error) {
    // If an expression fails, the job must not run on a machine that was not intended.
    return { servers: [], notes: [`Server expression failed: ${messageOf(error)}`] };
  }
}

/** Total weight of a server's jobs, including this one. */
async function weightOn(tx: ReadTx, server: string, record: ActiveJob): Promise<number> {
  const { rows } = await tx.collection(activeJobCollection).find(hasWord("server", server));
  const others = rows.filter(({ id }) => id !== record.id);
  return [record, ...others].reduce((sum, { job }) => sum + startLimits(job.limits ?? []).weight, 0);
}

async function readingsOf(
  deps: Deps,
  tx: ReadTx,
  { algo, servers }: { algo: string; servers: readonly Server[] },
): Promise<Readings> {
  const jobs = new Map<string, number>();
  if (algo === "fewest_jobs") for (const { id } of servers) jobs.set(id, await countActive(tx, hasWord("server", id)));
  const byId = new Map(servers.map((server) => [server.id, server]));
  return {
    load: (id) => numberAt(byId.get(id)?.info, "cpu", "avgLoad"),
    memory: (id) => numberAt(byId.get(id)?.info, "memory", "active"),
    jobs: (id) => jobs.get(id) ?? 0,
    monitor: monitorReading(deps, algo, byId),
  };
}

function monitorReading(
  { definitions, servers }: Deps,
  algo: string,
  byId: ReadonlyMap<string, Server>,
): Readings["monitor"] {
  const id = monitorOf(algo);
  const monitor = id === undefined ? undefined : definitions.get(monitorRecords, id);
  if (!monitor) return undefined;
  const part = monitor.delta ? "deltas" : "monitors";
  // For a server of another node, this node knows the last minute only as `info`.
  const minuteOf = (id: string): unknown => (servers.get(id) ? servers.latest(id)?.data : byId.get(id)?.info);
  return (server) => numberAt(minuteOf(server), part, monitor.id);
}

function numberAt(source: unknown, part: string, member: string): number {
  const value = (source as Record<string, Record<string, unknown> | undefined> | undefined)?.[part]?.[member];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
