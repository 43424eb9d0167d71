import type { Cradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import { createBreath } from "../../../kernel/running/breath.ts";
import { pagesById } from "../../../kernel/searches/pages-by-id.ts";
import { hasPassed } from "../../../lib/time/has-passed.ts";
import { createUnbroken } from "../../../lib/time/unbroken.ts";
import { allOf, anyOf, atLeast, atMost, hasWord, type SearchNode } from "../../../search/ast.ts";
import { activeJobCollection, jobLaunchCollection } from "../collection.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { JobMonitor } from "../lifecycle/monitor.ts";
import type { Phases } from "../lifecycle/phases.ts";
import { advance } from "../lifecycle/rules/lifecycle.ts";
import { textsOf } from "../lifecycle/steps.ts";
import { createLimitEffects } from "../limits/limit-effects.ts";
import { createLimitWatch } from "../limits/limit-watch.ts";
import type { JobLogs } from "../logs/job-logs.ts";
import type { ActiveJob } from "../model.ts";
import { findsNoActiveJobs } from "../records.ts";
import { createReadingsWriter } from "../reports/readings-writer.ts";
import { isOnServer, ON_SERVER } from "../reports/rules/on-server.ts";
import type { JobQueue } from "../start/queue.ts";
import { scopeOf } from "../start/rules/scope.ts";

/** Checks jobs every second, and after a restart. */
export interface JobWatch {
  /** Writes readings and output of the jobs on this node; `all` = also the ones that could wait. */
  flush(options?: { readonly all?: boolean }): Promise<void>;
  /** Evaluates the runtime limits of the jobs on this node. */
  limits(): Promise<void>;
  /** True = `flush` and `limits` would find nothing to do. */
  isIdle(): boolean;
  /** Worker of "jobs.limit_effects". */
  readonly limitWorker: WorkHandler;
  /** Advances jobs whose delay has ended, lines, phases that no node runs, and jobs with silent agents. */
  waiting(): Promise<void>;
  /** Repairs the state of active jobs after a restart (docs/contract/jobs.md#silence-and-lost-servers). */
  recover(): Promise<void>;
  /** Deletes keys of launches that are too old to be repeated. */
  prune(now: number): Promise<void>;
}

export interface WatchTools {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly monitor: JobMonitor;
  readonly phases: Phases;
  readonly queue: JobQueue;
}

/** Runs a step of one job; its failure does not affect other jobs. */
export type Guarded = (id: string, work: () => Promise<unknown>) => Promise<void>;

type Deps = Pick<
  Cradle,
  "actionRunner" | "apart" | "clock" | "config" | "jobs" | "log" | "nodes" | "snapshot" | "storage" | "transact"
>;

interface Context extends WatchTools {
  readonly deps: Deps;
  readonly guarded: Guarded;
  readonly unbroken: ReturnType<typeof createUnbroken>;
  /** Since when this engine has looked without a break. Unix seconds. */
  awakeSince: number;
  /** When all lines were last searched for. Unix seconds. */
  allQueuesAt: number;
}

const PAGE = 500;
/** Seconds for which unique keys of launches are stored. */
const LAUNCH_KEYS_SEC = 7 * 86_400;
const MAX_PRUNED_PAGES = 200;
const RECOVERED_AT_ONCE = 100;
/** Lines are found by their first job. All lines are searched for at this interval, in case one has no first job. */
const ALL_QUEUES_SEC = 60;
/** Looks are a second apart; slow ones take no longer than this. */
const SLOW_LOOK_SEC = 30;

const state = (...words: string[]) => hasWord("state", words);

export function createWatch(deps: Deps, tools: WatchTools): JobWatch {
  const { shared } = deps.storage.coordination;
  const guarded: Guarded = async (id, work) => {
    await deps.apart.run({ task: "the watch of jobs", noun: "Job", id }, work);
  };
  const now = deps.clock.now();
  const unbroken = createUnbroken(now);
  const context: Context = { ...tools, deps, guarded, unbroken, awakeSince: now, allQueuesAt: 0 };
  const effects = createLimitEffects(deps);
  const limitWatch = createLimitWatch(deps, { ...tools, effects, guarded });
  const writer = createReadingsWriter(deps, { ...tools, guarded });
  return {
    flush: ({ all: everything = false } = {}) => writer.flush(everything),
    async limits() {
      await limitWatch.pass();
      await checkAborting(context);
      await tools.phases.renew();
    },
    // On a shared storage, claims on phases of jobs are renewed, too.
    isIdle: () => !shared && tools.desk.live.isEmpty() && tools.logs.waiting().length === 0,
    limitWorker: effects.worker,
    waiting: () => lookAtWaiting(context),
    recover: () => recover(context),
    async prune(now) {
      for (let page = 0; page < MAX_PRUNED_PAGES; page++) if ((await pruneLaunches(deps, now)) < PAGE) return;
    },
  };
}

const pruneLaunches = ({ transact }: Deps, now: number): Promise<number> =>
  transact(async ({ tx }) => {
    const launches = tx.collection(jobLaunchCollection);
    const { rows } = await launches.find(atMost("created", now - LAUNCH_KEYS_SEC), { limit: PAGE });
    for (const { id } of rows) await launches.delete(id);
    return rows.length;
  });

interface Look {
  readonly queues: SearchNode;
  /** Includes suspended jobs, so that their other actions are found if they were lost. */
  readonly isFull: boolean;
}

const SUSPENDED = hasWord("suspended", "yes");

/** All jobs that nothing else will wake, in one query. */
function needsAttention(now: number, deadAfter: number, { queues, isFull }: Look): SearchNode {
  const moving = state("ready", "starting", "complete");
  return anyOf([
    // A launch in the future comes from a clock that has been set back since, which may have ended the wait.
    allOf([state("start_delay", "retry_delay"), anyOf([atMost("until", now), atLeast("launched", now + 1)])]),
    isFull ? moving : allOf([moving, { kind: "not", node: SUSPENDED }]),
    queues,
    // A sign of life in the future comes from a clock that has been set back since.
    allOf([state(...ON_SERVER), anyOf([atMost("updated", now - deadAfter), atLeast("updated", now + deadAfter)])]),
  ]);
}

async function lookAtWaiting(context: Context): Promise<void> {
  const { deps, guarded, queue } = context;
  if (await findsNoActiveJobs(deps.storage)) return;
  const now = noteLook(context);
  const isFull = hasPassed(context.allQueuesAt, ALL_QUEUES_SEC, now);
  if (isFull) context.allQueuesAt = now;
  const queues: SearchNode = isFull ? state("queued") : hasWord("head", "yes");
  const scopes = new Set<string>();
  const breathe = createBreath(deps.clock, deps.jobs.stopping);
  const where = needsAttention(now, deps.config.dead_job_timeout, { queues, isFull });
  for await (const rows of pagesById(deps.snapshot, activeJobCollection, { where, size: PAGE }))
    for (const record of rows) {
      if (record.job.state === "queued") scopes.add(scopeOf(record.job));
      else await guarded(record.id, () => lookAt(context, record));
      await breathe();
    }
  for (const scope of scopes) {
    await guarded(scope, () => queue.pass(scope));
    await breathe();
  }
}

async function lookAt(context: Context, record: ActiveJob): Promise<void> {
  const { deps, monitor, phases } = context;
  const { id, claim } = record;
  const { nodeId, shared } = deps.storage.coordination;
  const isElsewhere = shared && claim !== undefined && claim.node !== nodeId && claim.until > deps.nodes.nowMs() / 1000;
  if (phases.isRunning(id) || isElsewhere) return;
  if (isOnServer(record)) await watchSilence(context, id);
  else await monitor.advance(id);
}

/** Checks agents that keep reporting a job that they were asked to end. Only the node that receives the reports knows. */
async function checkAborting(context: Context): Promise<void> {
  const { deps, desk, guarded } = context;
  const { dead_job_timeout: timeout } = deps.config;
  const now = noteLook(context);
  for (const { id, record } of desk.live.all())
    if (record.aborting !== undefined && hasPassed(record.aborting, timeout, now))
      await guarded(id, () => watchSilence(context, id));
}

/**
 * Returns the time. After a pause of the process or the machine, or when the clock was set forward, silence counts from now on:
 * agents could not report meanwhile, or what they sent has not been read yet.
 */
function noteLook(context: Context): number {
  const now = context.deps.clock.now();
  context.awakeSince = context.unbroken(now, Math.max(context.deps.config.dead_job_timeout / 2, SLOW_LOOK_SEC));
  return now;
}

const watchSilence = ({ deps, monitor, awakeSince: since }: Context, id: string): Promise<boolean> =>
  monitor.tell(id, { kind: "watch", timeout: deps.config.dead_job_timeout, since });

/** Recovers jobs after a restart; not on a shared storage, where they may be alive on another node. */
async function recover(context: Context): Promise<void> {
  if (context.deps.storage.coordination.shared) return;
  for await (const rows of pagesById(context.deps.snapshot, activeJobCollection, { size: PAGE }))
    for (let start = 0; start < rows.length; start += RECOVERED_AT_ONCE)
      await recoverSome(context, rows.slice(start, start + RECOVERED_AT_ONCE));
}

/** In one transaction, because a start must not wait for one commit per job. */
async function recoverSome({ deps, desk }: Context, found: readonly ActiveJob[]): Promise<void> {
  const recovered = await deps.transact(async ({ tx }) => {
    const jobs = tx.collection(activeJobCollection);
    const stored = (await jobs.getMany(found.map(({ id }) => id))).filter((record) => record !== undefined);
    const now = deps.clock.now();
    return Promise.all(
      stored.map((record) => {
        const { record: next, effects } = advance(record, { kind: "restarted" }, now);
        return jobs.update(record.id, () => desk.meta(next, textsOf(effects)));
      }),
    );
  });
  for (const record of recovered) if (isOnServer(record)) await desk.adopt(record);
}
