import type { Server } from "../../../fleet/servers/model.ts";
import { serverRecords } from "../../../fleet/servers/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import type { Completion } from "../finish/completion.ts";
import { processedConditions } from "../finish/rules/result-code.ts";
import { HOST_FUNCTION } from "../launch/rules/launch.ts";
import type { ActiveJob, FinalJob } from "../model.ts";
import type { DispatchFacts } from "../start/dispatch.ts";
import type { JobPlaces } from "../start/places.ts";
import { startLimitsOf } from "../start/rules/overlap.ts";
import { scopeOf } from "../start/rules/scope.ts";
import { countActive, similarQueued } from "../start/start-facts.ts";
import type { JobStats } from "../upkeep/stats.ts";
import type { JobDesk } from "./job-desk.ts";
import type { Phases } from "./phases.ts";
import { advance } from "./rules/lifecycle.ts";
import type { Effect, Input } from "./rules/transition.ts";

/** The state of a job during one transaction. */
export interface Moved {
  readonly record: ActiveJob;
  readonly effects: readonly Effect[];
  readonly final?: FinalJob;
  /** Present when the launch message must be sent. */
  readonly dispatch?: DispatchFacts;
}

type Deps = Pick<Cradle, "alerts" | "clock" | "hooks" | "servers" | "workflows">;

export interface StepTools {
  readonly deps: Deps;
  readonly desk: JobDesk;
  readonly completion: Completion;
  readonly phases: () => Phases;
  readonly stats: JobStats;
  readonly places: () => JobPlaces;
}

export const has = (effects: readonly Effect[], kind: Effect["kind"]): boolean =>
  effects.some((effect) => effect.kind === kind);

export const textsOf = (effects: readonly Effect[]): string[] =>
  effects.flatMap((effect) => (effect.kind === "meta" ? [effect.text] : []));

export const serverOf = ({ servers }: Pick<Cradle, "servers">, { job }: ActiveJob): Server | undefined =>
  job.server === undefined ? undefined : servers.get(job.server);

/** Executes one step of a job's life; its durable effects are stored in the unit. */
export async function takeStep(
  { deps, desk, places }: StepTools,
  unit: Unit,
  { record, input }: { readonly record: ActiveJob; readonly input: Input },
): Promise<Moved> {
  const { record: next, effects } = advance(record, input, deps.clock.now());
  if (next === record && effects.length === 0) return { record, effects };
  await queueEffects(unit, record, { effects, pin: () => pinOf(deps, places(), unit.tx, record) });
  if (input.kind === "abort") {
    const { id, job } = record;
    unit.emit("job.aborted", { id, event: job.event, reason: input.reason });
  }
  return { record: desk.meta(next, textsOf(effects)), effects };
}

/** Pins queued work to the node to which the job's server is connected, because only that node can reach it. */
async function pinOf(
  { servers }: Pick<Cradle, "servers">,
  places: JobPlaces,
  tx: ReadTx,
  { job, node: inside }: ActiveJob,
): Promise<{ readonly node?: string }> {
  // A job inside a node belongs to that node alone, even if another node has an agent with the same id.
  const node = inside ?? (job.server === undefined ? undefined : await places.findNode(tx, job.server));
  return node === undefined ? servers.pin : { node };
}

interface Queued {
  readonly effects: readonly Effect[];
  readonly pin: () => Promise<{ readonly node?: string }>;
}

/** Queues effects that must happen after the commit even if this process dies. */
async function queueEffects({ tx }: Unit, { id, job }: ActiveJob, { effects, pin }: Queued): Promise<void> {
  const scope = scopeOf(job);
  // A job may be waiting for the slot that this one frees. If this job's limits allow no line, the leader's next look finds the
  // waiting job.
  const mayWait = has(effects, "slot") && startLimitsOf(job).queue > 0;
  if (mayWait && (await countActive(tx, similarQueued(scope))) > 0)
    await tx.enqueue("jobs.queue", { scope }, { key: scope });
  for (const effect of effects)
    if (effect.kind === "end_parts") await tx.enqueue("workflows.abort", { id, reason: effect.reason });
    else if (effect.kind === "send_abort" && job.server !== undefined)
      await tx.enqueue("jobs.send_abort", { id, server: job.server, reason: effect.reason }, await pin());
}

/** Continues within the transaction if there are no actions to run at the start or at the end. */
export async function goOn(tools: StepTools, unit: Unit, moved: Moved): Promise<Moved> {
  const { deps, completion, desk } = tools;
  const begun = await beginWork(tools, unit, moved);
  const { record, effects } = begun;
  if (has(effects, "begin")) {
    await tellStart(tools, unit, record);
    return { ...begun, record: await deps.workflows.begin(unit, record) };
  }
  if (has(effects, "dispatch") && record.job.server !== undefined) {
    desk.live.markSent(record.id);
    await tellStart(tools, unit, record);
    await deps.alerts.jobsSent(unit, record.job.server, [record.id]);
    const { node } = tools.places().isLocal(record.job.server) ? deps.servers.pin : {};
    // A function of the host never sees the data stored with its server.
    const isFunction = record.job.command === HOST_FUNCTION;
    const server = isFunction ? undefined : await unit.tx.collection(serverRecords).get(record.job.server);
    return { ...begun, record: { ...record, node }, dispatch: { userData: server?.userData } };
  }
  if (record.job.state !== "complete") return begun;
  const ended = await completion.begin(unit, record);
  if (!isIdle(tools, ended)) return { record: ended, effects };
  return { record: ended, effects, final: await completion.finalize(unit, ended) };
}

/** Counts a start and informs hooks, except for a test run that excludes starts. */
async function tellStart({ deps, stats }: StepTools, unit: Unit, record: ActiveJob): Promise<void> {
  const conditions = processedConditions(record.job, ["start"]);
  if (conditions.length > 0) unit.tx.afterCommit(() => stats.started(record.job));
  await deps.hooks.noteJob(unit.tx, record, conditions);
}

/** Moves a job from `starting` to `active` unless it has start actions to run. */
async function beginWork(tools: StepTools, unit: Unit, moved: Moved): Promise<Moved> {
  const { record, effects } = moved;
  if (record.job.state !== "starting" || !isIdle(tools, record)) return moved;
  const serverReady = serverOf(tools.deps, record)?.enabled === true;
  const next = await takeStep(tools, unit, { record, input: { kind: "started", serverReady } });
  return { record: next.record, effects: [...effects, ...next.effects] };
}

const isIdle = ({ completion, phases }: StepTools, record: ActiveJob): boolean =>
  !record.job.suspended && !phases().isRunning(record.id) && completion.pending(record).length === 0;
