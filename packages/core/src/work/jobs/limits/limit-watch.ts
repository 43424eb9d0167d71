import type { Cradle } from "../../../kernel/container.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import type { LiveJob } from "../lifecycle/live-jobs.ts";
import type { ActiveJob } from "../model.ts";
import type { Guarded, WatchTools } from "../upkeep/watch.ts";
import { type LimitEffects, PATIENCE_SEC } from "./limit-effects.ts";
import { checkRuntimeLimits, type LimitPass } from "./rules/limits.ts";

/** Evaluates the runtime limits of the jobs on this node (docs/contract/limits.md#while-active). */
export interface LimitWatch {
  pass(): Promise<void>;
}

interface Tools extends Pick<WatchTools, "desk" | "monitor"> {
  readonly effects: LimitEffects;
  readonly guarded: Guarded;
}

type Deps = Pick<Cradle, "clock" | "jobs">;

interface Context extends Tools {
  readonly deps: Deps;
  /** Unix seconds. */
  readonly startedAt: number;
}

type Fired = NonNullable<LimitPass["fired"]>;

/** Seconds after a firing by which the node that sends its notices must have aborted the job. */
const OWED_AFTER_SEC = PATIENCE_SEC + 5;

/** The clock of the node that started a job may be ahead of this node's by less than this. */
const CLOCKS_DIFFER_SEC = 60;

export function createLimitWatch(deps: Deps, tools: Tools): LimitWatch {
  const context: Context = { ...tools, deps, startedAt: deps.clock.now() };
  return {
    async pass() {
      const breathe = createBreath(deps.clock, deps.jobs.stopping);
      for (const live of tools.desk.live.all()) {
        await tools.guarded(live.id, () => check(context, live));
        await breathe();
      }
    },
  };
}

async function check(context: Context, live: LiveJob): Promise<void> {
  const { deps, desk, guarded, monitor } = context;
  const { limits, state } = live.record.job;
  if (state !== "active" || !limits?.length) return;
  await startAgain(context, live);
  const record = desk.live.view(live.record);
  const { job } = record;
  if (job.suspended) return;
  await payOwed(context, live);
  if (passOver(record, deps.clock.now()).limits === job.limits) return;
  const { fired, isTold } = await store(context, live.id);
  if (!fired?.limit["abort"] || isTold) return;
  // Not awaited: an abort may take a while.
  void guarded(live.id, () => monitor.abort(live.id, { reason: fired.msg, retryOk: true }));
}

/** Counts the time of a job from now on if it started by a clock that has been set back since. */
async function startAgain({ deps, desk }: Context, { id, record }: LiveJob): Promise<void> {
  const now = deps.clock.now();
  if (record.job.started <= now + CLOCKS_DIFFER_SEC) return;
  await desk.change(id, (_unit, current) => ({ ...current, job: { ...current.job, started: now } }));
}

interface Stored {
  fired?: Fired | undefined;
  /** Queued work sends the notices and aborts the job. */
  isTold?: boolean;
}

/** Evaluates the limits again on the stored record, and stores the ones that changed. */
async function store({ deps, desk, effects }: Context, id: string): Promise<Stored> {
  let seen: Stored = {};
  const record = await desk.change(id, async (unit, current) => {
    seen = {};
    const { limits, fired } = passOver(current, deps.clock.now());
    if (current.job.state !== "active" || limits === current.job.limits) return undefined;
    const tags = fired && Array.isArray(fired.limit["tags"]) ? (fired.limit["tags"] as string[]) : [];
    const all = [...new Set([...(current.job.tags ?? []), ...tags])];
    const changed = { ...current, job: { ...current.job, limits: [...limits], tags: all } };
    if (fired) {
      seen = { fired, isTold: await effects.queue(unit, changed, fired.index) };
      unit.emit("job.updated", { id });
    }
    return desk.meta(changed, fired ? [fired.msg] : []);
  });
  return record ? seen : {};
}

/** Aborts a job whose limit has fired but whose abort was lost, because the engine ended in between. */
async function payOwed({ deps, monitor, startedAt }: Context, { id, record }: LiveJob): Promise<void> {
  if (record.aborting !== undefined) return;
  const before = deps.clock.now() - OWED_AFTER_SEC;
  // After a restart, the interrupted notices are sent first.
  if (startedAt >= before) return;
  const owed = (record.job.limits ?? []).find((limit) => limit["abort"] && Number(limit["date"] ?? Infinity) < before);
  if (owed) await monitor.abort(id, { reason: String(owed["msg"]), retryOk: true });
}

function passOver({ job }: ActiveJob, now: number): LimitPass {
  const { started, log_file_size: logSize = 0, mem, cpu } = job;
  return checkRuntimeLimits(job.limits ?? [], { started, logSize, memory: mem?.current, cpu: cpu?.current }, now);
}
