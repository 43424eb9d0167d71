import type { Cradle } from "../../../kernel/container.ts";
import type { ActiveJob } from "../model.ts";
import { checkRuntimeLimits, type LimitPass } from "../rules/limits.ts";
import { createBreath } from "./breath.ts";
import type { LimitEffects } from "./limit-effects.ts";
import type { LiveJob } from "./live-jobs.ts";
import type { Guarded, WatchTools } from "./watch.ts";

/** Evaluates the runtime limits of the jobs on this node (part 32 §5). */
export interface LimitWatch {
  pass(): Promise<void>;
}

interface Tools extends Pick<WatchTools, "desk" | "monitor"> {
  readonly effects: LimitEffects;
  readonly guarded: Guarded;
}

interface Context extends Tools {
  readonly cradle: Cradle;
  /** Jobs whose limit fired and whose notifications are on their way. */
  readonly exceeding: Set<string>;
}

type Fired = NonNullable<LimitPass["fired"]>;

export function createLimitWatch(cradle: Cradle, tools: Tools): LimitWatch {
  const context: Context = { ...tools, cradle, exceeding: new Set() };
  return {
    async pass() {
      const breathe = createBreath(cradle.clock, cradle.jobs.stopping);
      for (const live of tools.desk.live.all()) {
        await tools.guarded(live.id, () => check(context, live));
        await breathe();
      }
    },
  };
}

async function check(context: Context, live: LiveJob): Promise<void> {
  const { cradle, desk, guarded } = context;
  const { limits = [], state } = live.record.job;
  if (state !== "active" || limits.length === 0) return;
  const record = desk.live.view(live.record);
  const { job } = record;
  if (job["suspended"]) return;
  await payOwed(context, live);
  if (passOver(record, cradle.clock.now()).limits === job.limits) return;
  const fired = await store(context, live.id);
  // Beside the loop: notifications may take their time.
  if (fired) void guarded(live.id, () => exceed(context, record, fired));
}

/** Evaluates once more on the stored record and writes what changed. */
async function store({ cradle, desk }: Context, id: string): Promise<Fired | undefined> {
  const seen: { fired?: LimitPass["fired"] } = {};
  const record = await desk.change(id, (_unit, current) => {
    delete seen.fired;
    const { limits, fired } = passOver(current, cradle.clock.now());
    if (current.job.state !== "active" || limits === current.job.limits) return undefined;
    seen.fired = fired;
    const tags = fired && Array.isArray(fired.limit["tags"]) ? (fired.limit["tags"] as string[]) : [];
    const all = [...new Set([...(current.job.tags ?? []), ...tags])];
    const changed = { ...current, job: { ...current.job, limits: [...limits], tags: all } };
    return desk.meta(changed, fired ? [fired.msg] : []);
  });
  return record && seen.fired;
}

async function exceed({ effects, exceeding, monitor }: Context, record: ActiveJob, fired: Fired): Promise<void> {
  const { id } = record;
  exceeding.add(id);
  try {
    await effects.run(record, fired);
    if (fired.limit["abort"]) await monitor.abort(id, { reason: fired.msg, retryOk: true });
  } finally {
    exceeding.delete(id);
  }
}

/** An abort that a limit owes since the engine ended between the two. */
async function payOwed({ exceeding, monitor }: Context, { id, record }: LiveJob): Promise<void> {
  if (record.aborting !== undefined || exceeding.has(id)) return;
  const owed = (record.job.limits ?? []).find((limit) => limit["abort"] && limit["date"] !== undefined);
  if (owed) await monitor.abort(id, { reason: String(owed["msg"]), retryOk: true });
}

function passOver({ job }: ActiveJob, now: number): LimitPass {
  const { started, log_file_size: logSize = 0, mem, cpu } = job;
  return checkRuntimeLimits(job.limits ?? [], { started, logSize, memory: mem?.current, cpu: cpu?.current }, now);
}
