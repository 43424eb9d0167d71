import type { KeyedCradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { whenReleased } from "../../../kernel/transactions/unit-scope.ts";
import { hasSecrets, openSecrets } from "../access/job-secrets.ts";
import { activeJobCollection } from "../collection.ts";
import type { Completion } from "../finish/completion.ts";
import { withAllowedFiles } from "../launch/rules/input-files.ts";
import type { JobLogs } from "../logs/job-logs.ts";
import type { ActiveJob } from "../model.ts";
import { type DispatchFacts, type LaunchSecrets, sendLaunch } from "../start/dispatch.ts";
import { type Courier, handOver, isOnItsWay } from "../start/hand-over.ts";
import { mayBegin } from "../start/overlap.ts";
import type { JobPlaces } from "../start/places.ts";
import { gatherFacts } from "../start/start-facts.ts";
import type { JobStats } from "../upkeep/stats.ts";
import type { JobChange, JobDesk } from "./job-desk.ts";
import type { LiveJob } from "./live-jobs.ts";
import type { Phases } from "./phases.ts";
import type { Effect, Input, StartChoice } from "./rules/transition.ts";
import { goOn, has, type Moved, serverOf, takeStep } from "./steps.ts";

/** Request to abort a job; `retryOk` = its retries may follow. */
export interface AbortRequest {
  readonly reason: string;
  readonly retryOk?: boolean;
}

/** Moves jobs from launch to final record. Every step is idempotent and safe to race. */
export interface JobMonitor {
  /** Advances a job as far as possible. Worker of "jobs.advance". */
  advance(id: string): Promise<void>;
  /** Like `advance`, for a job that another node has handed over: its first step shares a transaction with others. */
  startBrought(id: string): Promise<void>;
  /**
   * Advances a job that is about to be stored, within the unit of its launch, if its server is connected and nothing blocks it:
   * to that server, or to the node that will start it. Undefined = it must be stored unchanged and advanced afterwards.
   */
  startAtOnce(unit: Unit, record: ActiveJob): Promise<ActiveJob | undefined>;
  /** Applies an input, after an optional change of the record, and advances the job. False when the job is not active. */
  tell(id: string, input: Input | undefined, change?: JobChange): Promise<boolean>;
  /** Aborts a job inside the caller's unit; the effects are queued. */
  abortIn(unit: Unit, record: ActiveJob, request: AbortRequest): Promise<void>;
  abort(id: string, request: AbortRequest): Promise<boolean>;
}

export interface MonitorTools {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly completion: Completion;
  /** Resolved late, because phases report back to the monitor. */
  readonly phases: () => Phases;
  readonly stats: JobStats;
  readonly places: () => JobPlaces;
  readonly courier: () => Courier;
  /** True while the engine stops: waiting jobs then start after its next start, or on another node. */
  readonly isDraining: () => boolean;
}

/** Sources that launch by themselves after a start of the engine, before servers have connected again. */
const EARLY_SOURCES: ReadonlySet<unknown> = new Set(["action", "alert", "scheduler", "startup", "workflow"]);
/** A job has fewer states, so more turns would be an endless loop. */
const MAX_TURNS = 16;

type Deps = Pick<
  KeyedCradle,
  | (
      | "alerts"
      | "clock"
      | "config"
      | "definitions"
      | "eventRecords"
      | "eventStates"
      | "events"
      | "expressions"
      | "hooks"
    )
  | ("jobs" | "log" | "nodes" | "random" | "secretKey" | "servers" | "storage" | "vault" | "workflows")
>;

interface Context extends MonitorTools {
  readonly deps: Deps;
}

interface Decision {
  readonly record: ActiveJob;
  readonly input: Input | undefined;
}
type Decide = (unit: Unit, record: ActiveJob) => Promise<Decision | undefined>;

export function createMonitor(deps: Deps, tools: MonitorTools): JobMonitor {
  const context: Context = { ...tools, deps };
  return {
    advance: (id) => takeOn(context, id),
    startBrought: async (id) => {
      if (isMovingOn(await act(context, id, decideIn(context), "start"))) await takeOn(context, id);
    },
    startAtOnce: (unit, record) => startAtOnce(context, unit, record),
    tell(id, input, change) {
      const decide: Decide = async (unit, record) => {
        const changed = change ? await change(unit, record) : record;
        return changed && { record: changed, input };
      };
      const isEnd = input?.kind === "reported" && input.state === "complete";
      return actAndGoOn(context, id, decide, isEnd ? "end" : undefined);
    },
    async abortIn(unit, record, request) {
      const input = await abortInput(context, unit, { record, request });
      const { record: next } = await takeStep(context, unit, { record, input });
      await unit.tx.collection(activeJobCollection).update(record.id, () => next);
      await unit.tx.enqueue("jobs.advance", { id: record.id }, { key: record.id });
    },
    abort: (id, request) =>
      actAndGoOn(context, id, async (unit, record) => {
        const input = await abortInput(context, unit, { record, request });
        return { record, input };
      }),
  };
}

async function abortInput(
  { deps, places }: Context,
  { tx }: Unit,
  { record, request: { reason, retryOk = false } }: { readonly record: ActiveJob; readonly request: AbortRequest },
): Promise<Input> {
  const { server = "" } = record.job;
  const isHere = record.node !== undefined || serverOf(deps, record) !== undefined;
  const connected = isHere || (await places().findNode(tx, server)) !== undefined;
  return { kind: "abort", reason, retryOk, connected };
}

async function actAndGoOn(context: Context, id: string, decide: Decide, shared?: Shared): Promise<boolean> {
  const moved = await act(context, id, decide, shared);
  if (isMovingOn(moved)) await takeOn(context, id);
  return moved !== undefined;
}

async function startAtOnce(context: Context, unit: Unit, record: ActiveJob): Promise<ActiveJob | undefined> {
  const { deps, desk, isDraining } = context;
  if (record.job.state !== "ready" || isDraining()) return undefined;
  const [pruned, fileNotes] = withAllowedFiles(record);
  const { facts, notes } = await gatherFacts(deps, unit, pruned, { canWait: false });
  const { choice, limits, running } = facts;
  const isFull = limits.concurrent !== undefined && running >= limits.concurrent;
  if (facts.refusal !== undefined || isFull) return undefined;
  const checked = desk.meta(pruned, [...fileNotes, ...notes]);
  const routed = await handOver(context, unit, { record: checked, choice });
  if (routed) return routed;
  if (!isOpen(deps, choice)) return undefined;
  const seen: { moved?: Moved } = {};
  // Another part commits this transaction, so the job is sent when it reports the commit.
  if (!whenReleased(unit.tx, () => seen.moved && followBeside(context, seen.moved))) return undefined;
  const step = await takeStep(context, unit, { record: checked, input: { kind: "check", facts } });
  seen.moved = await goOn(context, unit, step);
  unit.emit("job.updated", { id: record.id });
  return seen.moved.record;
}

const isOpen = ({ servers }: Pick<Deps, "servers">, choice: StartChoice): boolean =>
  choice.kind === "engine" || (choice.kind === "chosen" && servers.get(choice.server.id)?.enabled === true);

/** Executes effects without waiting for them: the launch has already been answered with the job's id. */
function followBeside(context: Context, moved: Moved): void {
  follow(context, moved).catch((error: unknown) =>
    context.deps.log.error({ job: moved.record.id, error }, "A job that was launched could not be started"),
  );
}

const isMovingOn = (moved: Moved | undefined): boolean =>
  moved !== undefined && moved.final === undefined && has(moved.effects, "wake");

async function takeOn(context: Context, id: string): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) if (!isMovingOn(await act(context, id, decideIn(context)))) return;
}

/** Kinds of steps that share a transaction with steps of other jobs. */
type Shared = "end" | "start";

/** Runs one transaction, then its effects outside of the process. Undefined when the job is not active or nothing was decided. */
async function act(context: Context, id: string, decide: Decide, shared?: Shared): Promise<Moved | undefined> {
  const { desk, logs } = context;
  const seen: { moved?: Moved } = {};
  const change: JobChange = async (unit, stored) => {
    const decision = await decide(unit, stored);
    if (!decision) return undefined;
    const { record, input } = decision;
    const step = input ? await takeStep(context, unit, { record, input }) : { record, effects: [] as Effect[] };
    const moved = await goOn(context, unit, step);
    // Set on commit only: when the transaction is repeated, another node may have ended the job meanwhile.
    unit.tx.afterCommit(() => {
      seen.moved = moved;
    });
    if (moved.final || moved.record === stored) return undefined;
    unit.emit("job.updated", { id });
    return moved.record;
  };
  await (shared === "end" ? logs.hold(id) : logs.flush([id]));
  try {
    await (shared ? desk.changeTogether(id, change) : desk.change(id, change));
  } finally {
    // An abort that meets the end of its job must not release the output that the end has taken.
    if (shared === "end") logs.release(id);
  }
  if (seen.moved) await follow(context, seen.moved);
  return seen.moved;
}

/** Executes effects outside of the transaction, after the commit. */
async function follow(context: Context, { record, dispatch: facts, final }: Moved): Promise<void> {
  const { deps, completion, desk, logs, phases } = context;
  if (final) {
    if (final.ephemeral) desk.live.remember(final, deps.clock.now());
    desk.live.drop(record.id);
    logs.forget(record.id);
  } else if (facts) await dispatch(context, record, facts);
  else if (!phases().isRunning(record.id) && completion.pending(record).length > 0) phases().run(record);
}

/** Sends the launch message. The stored record already says that it was sent, so it is never sent twice. */
async function dispatch(context: Context, record: ActiveJob, facts: DispatchFacts): Promise<void> {
  const { deps, desk } = context;
  const { id, job } = record;
  const live = desk.live.hold(record);
  const sec = await secretsFor(context, record, live);
  if (!sec) return;
  if (sendLaunch(deps, record, { ...facts, sec })) {
    deps.events.emit("job.started", { id, event: job.event, server: job.server ?? "" });
    return;
  }
  desk.live.drop(id);
  await act(context, id, async (_unit, current) => ({ record: current, input: { kind: "unsent" } }));
  await takeOn(context, id);
}

/** Undefined when the job ended while its secrets were being opened. */
async function secretsFor(
  { deps, desk, ...context }: Context,
  { id, job }: ActiveJob,
  live: LiveJob,
): Promise<LaunchSecrets | undefined> {
  if (!hasSecrets(deps, job)) {
    live.mask = "none";
    return {};
  }
  const { environment, mask } = await openSecrets(deps, job);
  live.mask = mask;
  const seen: { current?: ActiveJob } = {};
  await desk.change(id, (unit, current) => {
    unit.tx.afterCommit(() => {
      seen.current = current;
    });
    return undefined;
  });
  const { current } = seen;
  if (current?.job.state === "active" && current.aborting === undefined) return environment;
  // The server was asked to end a job that it never received, so the job must be ended here.
  if (current?.aborting !== undefined)
    await actAndGoOn({ deps, desk, ...context }, id, async (_unit, record) => ({ record, input: NEVER_SENT }));
  return undefined;
}

const NEVER_SENT: Input = { kind: "lost", reason: "The job was aborted before it was sent." };

const decideIn =
  (context: Context): Decide =>
  (unit, record) =>
    decideNext(context, unit, record);

/** The next step according to the job's state; undefined when it waits for something else. */
async function decideNext(context: Context, unit: Unit, record: ActiveJob): Promise<Decision | undefined> {
  switch (record.job.state) {
    case "start_delay":
      return (await mayBegin(context.deps, unit, record)) ? { record, input: { kind: "due" } } : undefined;
    case "retry_delay":
      return { record, input: { kind: "due" } };
    case "ready": {
      const { deps } = context;
      if (context.isDraining() || isOnItsWay(context, record)) return undefined;
      const [pruned, fileNotes] = withAllowedFiles(record);
      const { facts, notes } = await gatherFacts(deps, unit, record, { canWait: canWait(context, record) });
      const checked = context.desk.meta(pruned, [...fileNotes, ...notes]);
      const routed = await handOver(context, unit, { record: checked, choice: facts.choice });
      return routed ? { record: routed, input: undefined } : { record: checked, input: { kind: "check", facts } };
    }
    case "starting":
    case "complete":
      return { record, input: undefined };
    default:
      return undefined;
  }
}

const canWait = ({ places }: Context, { job, restored }: ActiveJob): boolean =>
  places().earlySince() !== undefined && (restored === true || EARLY_SOURCES.has(job.source));
