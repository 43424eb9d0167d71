import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { activeJobCollection } from "../collection.ts";
import type { ActiveJob, FinalJob } from "../model.ts";
import { advance, type Effect, type Input } from "../rules/lifecycle.ts";
import { scopeOf } from "../rules/scope.ts";
import type { Completion } from "./completion.ts";
import { sendLaunch } from "./dispatch.ts";
import type { JobChange, JobDesk } from "./job-desk.ts";
import type { JobLogs } from "./job-logs.ts";
import type { Phases } from "./phases.ts";
import { countActive, gatherFacts, similarQueued } from "./start-facts.ts";

/** How a job is asked to end. */
export interface AbortRequest {
  readonly reason: string;
  readonly retryOk?: boolean;
}

/** Moves jobs from launch to their final record. Every step is safe to repeat and safe to race. */
export interface JobMonitor {
  /** Takes a job as far as it goes now. Worker of "jobs.advance". */
  advance(id: string): Promise<void>;
  /** Applies what happened, after an optional change of the record, and moves on. False when the job is not active. */
  tell(id: string, input: Input | undefined, change?: JobChange): Promise<boolean>;
  /** Asks for the end inside a unit of the caller; what follows is queued. */
  abortIn(unit: Unit, record: ActiveJob, request: AbortRequest): Promise<void>;
  abort(id: string, request: AbortRequest): Promise<boolean>;
}

export interface MonitorTools {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly completion: Completion;
  /** Asked for late: phases report back to the monitor. */
  readonly phases: () => Phases;
}

/** Servers need this long to come back after a start of the engine. Seconds. */
const REJOIN_SEC = 45;
/** Sources that fire right at the start, before any server can be there. */
const EARLY_SOURCES: ReadonlySet<unknown> = new Set(["scheduler", "startup"]);
/** More turns than a job has states would be a loop. */
const MAX_TURNS = 16;

/** A record on its way through one transaction. */
interface Moved {
  readonly record: ActiveJob;
  readonly effects: readonly Effect[];
  readonly final?: FinalJob;
}

interface Decision {
  readonly record: ActiveJob;
  readonly input: Input | undefined;
}
type Decide = (unit: Unit, record: ActiveJob) => Promise<Decision | undefined>;

export function createMonitor(cradle: Cradle, tools: MonitorTools): JobMonitor {
  const { clock } = cradle;
  const { desk, logs, completion, phases } = tools;
  const startedAt = clock.now();
  const serverOf = ({ job }: ActiveJob) => (job.server === undefined ? undefined : cradle.servers.get(job.server));
  const canWait = ({ job, restored }: ActiveJob): boolean =>
    clock.now() - startedAt < REJOIN_SEC && (restored === true || EARLY_SOURCES.has(job.source));

  async function step(unit: Unit, record: ActiveJob, input: Input): Promise<Moved> {
    const { record: next, effects } = advance(record, input, clock.now());
    if (next === record && effects.length === 0) return { record, effects };
    await queueEffects(unit, record, effects);
    if (input.kind === "abort")
      unit.emit("job.aborted", { id: record.id, event: record.job.event, reason: input.reason });
    return { record: desk.meta(next, textsOf(effects)), effects };
  }

  /** Goes on within the transaction: start actions and the end take no time when there is nothing to run. */
  async function goOn(unit: Unit, moved: Moved): Promise<Moved> {
    let { record, effects } = moved;
    if (record.job.state === "starting" && isIdle(record)) {
      const begun = await step(unit, record, { kind: "started", serverReady: serverOf(record)?.enabled === true });
      record = begun.record;
      effects = [...effects, ...begun.effects];
    }
    if (has(effects, "dispatch") && record.job.server !== undefined) {
      desk.live.markSent(record.id);
      await cradle.alerts.jobsSent(unit, record.job.server, [record.id]);
    }
    if (record.job.state !== "complete") return { record, effects };
    record = await completion.begin(unit, record);
    return isIdle(record) ? { record, effects, final: await completion.finalize(unit, record) } : { record, effects };
  }

  const isIdle = (record: ActiveJob): boolean =>
    !phases().isRunning(record.id) && completion.pending(record).length === 0;

  /** One transaction, then what leaves the process. Undefined when the job is not active or nothing was decided. */
  async function act(id: string, decide: Decide): Promise<Moved | undefined> {
    await logs.flush([id]);
    const seen: { moved?: Moved } = {};
    await desk.change(id, async (unit, stored) => {
      delete seen.moved;
      const decision = await decide(unit, stored);
      if (!decision) return undefined;
      const { record, input } = decision;
      const moved = await goOn(unit, input ? await step(unit, record, input) : { record, effects: [] });
      seen.moved = moved;
      if (moved.final || moved.record === stored) return undefined;
      unit.emit("job.updated", { id });
      return moved.record;
    });
    if (seen.moved) await follow(seen.moved);
    return seen.moved;
  }

  async function follow({ record, effects, final }: Moved): Promise<void> {
    if (final) {
      if (final["ephemeral"]) desk.live.remember(final, clock.now());
      desk.live.drop(record.id);
      logs.forget(record.id);
    } else if (has(effects, "dispatch")) await dispatch(record);
    else if (!phases().isRunning(record.id) && completion.pending(record).length > 0) phases().run(record);
  }

  /** The record says already that it was sent, so whatever happens now, it is never sent twice. */
  async function dispatch(record: ActiveJob): Promise<void> {
    desk.live.hold(record);
    const { id, job } = record;
    if (sendLaunch(cradle, record)) {
      cradle.events.emit("job.started", { id, event: job.event, server: job.server ?? "" });
      return;
    }
    desk.live.drop(id);
    await act(id, async (_unit, current) => ({ record: current, input: { kind: "unsent" } }));
    await takeOn(id);
  }

  /** What the job's own state asks for; undefined when it waits for something else. */
  async function decideNext(unit: Unit, record: ActiveJob): Promise<Decision | undefined> {
    switch (record.job.state) {
      case "start_delay":
      case "retry_delay":
        return { record, input: { kind: "due" } };
      case "ready": {
        const { facts, notes } = await gatherFacts(cradle, unit, record, { canWait: canWait(record) });
        return { record: desk.meta(record, notes), input: { kind: "check", facts } };
      }
      case "starting":
      case "complete":
        return { record, input: undefined };
      default:
        return undefined;
    }
  }

  async function takeOn(id: string): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const moved = await act(id, decideNext);
      if (!moved || moved.final || !has(moved.effects, "wake")) return;
    }
  }

  async function tell(id: string, input: Input | undefined, change?: JobChange): Promise<boolean> {
    const moved = await act(id, async (unit, record) => {
      const changed = change ? await change(unit, record) : record;
      return changed && { record: changed, input };
    });
    if (moved && !moved.final && has(moved.effects, "wake")) await takeOn(id);
    return moved !== undefined;
  }

  const abortInput = (record: ActiveJob, { reason, retryOk = false }: AbortRequest): Input => ({
    kind: "abort",
    reason,
    retryOk,
    connected: serverOf(record) !== undefined,
  });

  return {
    advance: takeOn,
    tell,
    async abortIn(unit, record, request) {
      const { record: next } = await step(unit, record, abortInput(record, request));
      await unit.tx.collection(activeJobCollection).update(record.id, () => next);
      await unit.tx.enqueue("jobs.advance", { id: record.id }, { key: record.id });
    },
    async abort(id, request) {
      const moved = await act(id, async (_unit, record) => ({ record, input: abortInput(record, request) }));
      if (moved && !moved.final && has(moved.effects, "wake")) await takeOn(id);
      return moved !== undefined;
    },
  };
}

const has = (effects: readonly Effect[], kind: Effect["kind"]): boolean =>
  effects.some((effect) => effect.kind === kind);
const textsOf = (effects: readonly Effect[]): string[] =>
  effects.flatMap((effect) => (effect.kind === "meta" ? [effect.text] : []));

/** Effects that must happen once the transaction is durable, whatever becomes of this process. */
async function queueEffects({ tx }: Unit, { id, job }: ActiveJob, effects: readonly Effect[]): Promise<void> {
  const scope = scopeOf(job);
  // Somebody may be waiting for the slot that this job gives up.
  if (has(effects, "slot") && (await countActive(tx, similarQueued(scope))) > 0)
    await tx.enqueue("jobs.queue", { scope }, { key: scope });
  for (const effect of effects)
    if (effect.kind === "send_abort" && job.server !== undefined)
      await tx.enqueue("jobs.send_abort", { id, server: job.server, reason: effect.reason });
}
