import type { Cradle } from "../../../kernel/container.ts";
import type { SearchNode } from "../../../search/ast.ts";
import { activeJobCollection, jobLaunchCollection, jobTimelinesCollection } from "../collection.ts";
import type { ActiveJob } from "../model.ts";
import { advance } from "../rules/lifecycle.ts";
import { checkRuntimeLimits, type LimitPass } from "../rules/limits.ts";
import { addMeta } from "../rules/meta.ts";
import { scopeOf } from "../rules/scope.ts";
import type { JobDesk } from "./job-desk.ts";
import type { JobLogs } from "./job-logs.ts";
import { createLimitEffects } from "./limit-effects.ts";
import { isPending, type LiveJob } from "./live-jobs.ts";
import type { JobMonitor } from "./monitor.ts";
import type { Phases } from "./phases.ts";
import type { JobQueue } from "./queue.ts";

/** What comes back every second, and after a restart. */
export interface JobWatch {
  /** Writes readings and output of the jobs on this node; `all` also what could wait. */
  flush(options?: { readonly all?: boolean }): Promise<void>;
  /** Runtime limits of the jobs on this node. */
  limits(): Promise<void>;
  /** Delays that ended, queues, phases that nobody runs, silent agents. */
  waiting(): Promise<void>;
  recover(): Promise<void>;
  /** Forgets launches that nobody can repeat any more. */
  prune(now: number): Promise<void>;
}

export interface WatchTools {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly monitor: JobMonitor;
  readonly phases: Phases;
  readonly queue: JobQueue;
}

/** Readings on disk are at most this old. Seconds. */
const READINGS_SEC = 5;
const URGENT_SEC = 1;
const TIMELINES_SEC = 60;
const PAGE = 500;
/** Unique keys of launches are kept this long. Seconds. */
const LAUNCH_KEYS_SEC = 7 * 86_400;

const state = (...words: string[]): SearchNode => ({ kind: "term", field: "state", words });
const atMost = (field: string, value: number): SearchNode => ({ kind: "compare", field, operator: "lte", value });
const all = (...nodes: SearchNode[]): SearchNode => ({ kind: "and", nodes });

export function createWatch(cradle: Cradle, tools: WatchTools): JobWatch {
  const { clock, config, log, snapshot, storage, transact } = cradle;
  const { desk, logs, monitor, phases, queue } = tools;
  const limitEffects = createLimitEffects(cradle, { desk });
  const startedAt = clock.now();
  const exceeding = new Set<string>();

  /** One job's trouble must not keep the others waiting. */
  async function guarded(id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ job: id, error }, "A job could not be looked after; it is tried again");
    }
  }

  function isDue(live: LiveJob, everything: boolean): boolean {
    if (!isPending(live)) return false;
    return everything || clock.now() - live.written >= (live.urgent ? URGENT_SEC : READINGS_SEC);
  }

  async function writeTimelines(live: LiveJob): Promise<void> {
    const { id, timelines } = live;
    live.timelinesWritten = clock.now();
    await transact(async ({ tx }) => {
      const stored = tx.collection(jobTimelinesCollection);
      // A job that ended meanwhile has its timelines in its record.
      if (!(await tx.collection(activeJobCollection).get(id))) return;
      if (await stored.get(id)) await stored.update(id, () => ({ id, ...timelines }));
      else await stored.insert({ id, ...timelines });
    });
  }

  const hasNewTimelines = ({ timelines, timelinesWritten }: LiveJob): boolean =>
    (timelines.second.at(-1)?.epoch ?? 0) > timelinesWritten;

  async function checkLimits(live: LiveJob): Promise<void> {
    const { job } = desk.live.view(live.record);
    if (job.state !== "active" || job["suspended"] || (job.limits ?? []).length === 0) return;
    await payOwed(live);
    if (passOver({ ...live.record, job }, clock.now()).limits === job.limits) return;
    const seen: { fired?: LimitPass["fired"] } = {};
    const record = await desk.change(live.id, (_unit, current) => {
      const pass = passOver(current, clock.now());
      seen.fired = pass.fired;
      if (current.job.state !== "active" || pass.limits === current.job.limits) return undefined;
      const tags = pass.fired && Array.isArray(pass.fired.limit["tags"]) ? (pass.fired.limit["tags"] as string[]) : [];
      const all = [...new Set([...(current.job.tags ?? []), ...tags])];
      const changed = { ...current, job: { ...current.job, limits: [...pass.limits], tags: all } };
      return desk.meta(changed, pass.fired ? [pass.fired.msg] : []);
    });
    // Beside the loop: notifications may take their time.
    if (seen.fired && record) void guarded(live.id, () => exceed(record, seen.fired));
  }

  async function exceed(record: ActiveJob, fired: LimitPass["fired"]): Promise<void> {
    if (!fired) return;
    exceeding.add(record.id);
    try {
      await limitEffects.run(record, fired);
      if (fired.limit["abort"]) await monitor.abort(record.id, { reason: fired.msg, retryOk: true });
    } finally {
      exceeding.delete(record.id);
    }
  }

  /** An abort that a limit owes since the engine ended between the two. */
  async function payOwed({ id, record }: LiveJob): Promise<void> {
    if (record.aborting !== undefined || exceeding.has(id)) return;
    const owed = (record.job.limits ?? []).find((limit) => limit["abort"] && limit["date"] !== undefined);
    if (owed) await monitor.abort(id, { reason: String(owed["msg"]), retryOk: true });
  }

  /** Everything that nobody else will wake, in one query. */
  function needsAttention(now: number): SearchNode {
    const silentSince = now - config.dead_job_timeout;
    return {
      kind: "or",
      nodes: [
        all(state("start_delay", "retry_delay"), atMost("until", now)),
        state("ready", "starting", "complete", "queued"),
        all(state("active", "finishing"), atMost("updated", silentSince)),
      ],
    };
  }

  async function lookAt(record: ActiveJob, now: number): Promise<void> {
    const { id, job, claim } = record;
    const { nodeId, shared } = storage.coordination;
    const isElsewhere = shared && claim !== undefined && claim.node !== nodeId && claim.until > now;
    if (phases.isRunning(id) || isElsewhere) return;
    if (job.state !== "active" && job.state !== "finishing") return monitor.advance(id);
    await monitor.tell(id, { kind: "watch", timeout: config.dead_job_timeout, since: startedAt });
  }

  /** Agents that were told to end a job and go on reporting it. */
  async function checkAborting(): Promise<void> {
    for (const { id, record } of desk.live.all())
      if (record.aborting !== undefined && clock.now() - record.aborting >= config.dead_job_timeout)
        await guarded(id, () =>
          monitor.tell(id, { kind: "watch", timeout: config.dead_job_timeout, since: startedAt }),
        );
  }

  async function waiting(): Promise<void> {
    const now = clock.now();
    const scopes = new Set<string>();
    for (let offset = 0; ; offset += PAGE) {
      const page = { sortBy: "id", offset, limit: PAGE };
      const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find(needsAttention(now), page));
      for (const record of rows)
        if (record.job.state === "queued") scopes.add(scopeOf(record.job));
        else await guarded(record.id, () => lookAt(record, now));
      if (rows.length < PAGE) break;
    }
    for (const scope of scopes) await guarded(scope, () => queue.pass(scope));
    await checkAborting();
  }

  /** Only a store of our own: on a shared one these jobs may be alive on another node. */
  async function recoverOne(id: string): Promise<void> {
    const record = await desk.change(id, (_unit, stored) => {
      const { record: next, effects } = advance(stored, { kind: "restarted" }, clock.now());
      const texts = effects.flatMap((effect) => (effect.kind === "meta" ? [effect.text] : []));
      return {
        ...next,
        details: addMeta(
          next.details,
          texts.map((text) => desk.row(text)),
        ),
      };
    });
    if (record && (record.job.state === "active" || record.job.state === "finishing")) await desk.adopt(record);
  }

  return {
    async flush({ all: everything = false } = {}) {
      await logs.flush(logs.waiting());
      for (const live of desk.live.all()) {
        if (isDue(live, everything)) await guarded(live.id, () => desk.change(live.id, (_unit, record) => record));
        const isLong = clock.now() - live.timelinesWritten >= TIMELINES_SEC;
        if ((isLong || everything) && hasNewTimelines(live)) await guarded(live.id, () => writeTimelines(live));
      }
    },
    async limits() {
      for (const live of desk.live.all()) await guarded(live.id, () => checkLimits(live));
      await phases.renew();
    },
    waiting,
    async recover() {
      if (storage.coordination.shared) return;
      for (let offset = 0; ; offset += PAGE) {
        const page = { sortBy: "id", offset, limit: PAGE };
        const { rows } = await snapshot((tx) => tx.collection(activeJobCollection).find({ kind: "all" }, page));
        for (const { id } of rows) await recoverOne(id);
        if (rows.length < PAGE) return;
      }
    },
    async prune(now) {
      await transact(async ({ tx }) => {
        const launches = tx.collection(jobLaunchCollection);
        const { rows } = await launches.find(atMost("created", now - LAUNCH_KEYS_SEC), { limit: PAGE });
        for (const { id } of rows) await launches.delete(id);
      });
    },
  };
}

function passOver({ job }: ActiveJob, now: number): LimitPass {
  const { started, log_file_size: logSize = 0, mem, cpu } = job;
  const usages = { started, logSize, memory: mem?.current, cpu: cpu?.current };
  return checkRuntimeLimits(job.limits ?? [], usages, now);
}
