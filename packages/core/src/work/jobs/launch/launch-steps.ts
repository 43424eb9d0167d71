import type { Reach } from "../../../directory/access/model.ts";
import type { PluginRecord } from "../../../directory/plugins/model.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { whenTakenBack } from "../../../kernel/transactions/unit-scope.ts";
import { messageOf } from "../../../lib/message-of.ts";
import { sha256Hex } from "../../../lib/secrecy/hash.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import { newestVersion } from "../../../wire/params-version.ts";
import type { Event } from "../../events/model.ts";
import { activeJobCollection, jobCollection, jobLaunchCollection } from "../collection.ts";
import { queueProblem } from "../limits/rules/limits.ts";
import type { ActiveJob, FinalJob, Job, JobDetails, MetaRow } from "../model.ts";
import { checkOverlap, replaceOthers } from "../start/overlap.ts";
import { startLimitsOf } from "../start/rules/overlap.ts";
import { scopeOf } from "../start/rules/scope.ts";
import { type FactDeps, isCounted, scopeLock } from "../start/start-facts.ts";
import { expandCommand, expandParams } from "./expand-params.ts";
import { traceVariables } from "./job-trace.ts";
import { type Definitions, type Lists, mergeDefaults, refuse, requireDefinitions } from "./launch-definitions.ts";
import { dayLimits, dayProblem } from "./rules/day-limits.ts";
import {
  HOST_FUNCTION,
  ignoredOverride,
  ignoredParameter,
  launchMembers,
  newJob,
  overridesFromParams,
  waitsForRoom,
} from "./rules/launch.ts";

/** Everything that determines how a job begins, for first launches and retries alike. */
export interface LaunchPlan {
  readonly event: Event;
  readonly source: string;
  readonly isRetry: boolean;
  /** Members that override the event's. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** Members that only the engine sets: username, parent, stype, retry_count … */
  readonly engine: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Names that were sent but are not parameters. */
  readonly ignored?: readonly string[] | undefined;
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly workflowData: unknown;
  readonly tags: readonly string[];
  readonly actions: readonly Action[];
  readonly limits: readonly Limit[];
  readonly test: { readonly on: boolean; readonly actions: boolean; readonly limits: boolean };
  /** Unix seconds: nominal time, and the earliest start. */
  readonly now: number | undefined;
  readonly until: number | undefined;
  /** Reach of the user or key that launched it; retries keep it. */
  readonly reach: Reach | undefined;
  /** Activation to which a sub-job belongs; retries keep it. */
  readonly activation: string | undefined;
  /** Takes over the insert of a record that starts immediately and is not counted by any limit. */
  readonly collect?: ((record: ActiveJob) => void) | undefined;
}

export type LaunchDeps = FactDeps &
  Pick<Cradle, "clock" | "codeVersion" | "config" | "ids" | "launchRoom" | "storage" | "tracer">;

/** Launches one job inside the unit. Every refusal comes before the first write, except a refusal by the cap on launches. */
export async function launchJob(deps: LaunchDeps, unit: Unit, plan: LaunchPlan): Promise<Job> {
  const definitions = await requireDefinitions(deps, unit.tx, plan);
  const lists = mergeDefaults(deps.config, plan, definitions.category);
  const problem = queueProblem(lists.limits);
  if (problem !== undefined) throw refuse(problem);
  await checkDay(deps, unit.tx, { plan, limits: lists.limits });
  const variables = await traceVariables(deps.tracer, unit.tx, plan);
  const draft = draftJob(deps, { plan, ...definitions, lists, variables });
  const isBounded = isCounted(startLimitsOf(draft));
  // A retry belongs to a run that has already been checked. A delayed job is checked when its time comes, because all seconds of
  // a minute are launched at its beginning.
  const isJudged = !plan.isRetry && !isLater(draft, plan.until);
  if (isJudged) await checkOverlap(unit, draft, definitions.event.title);
  if (!plan.isRetry && isBounded) await unit.tx.lock(scopeLock(scopeOf(draft)));
  const room = await takeRoom(deps, unit.tx, plan);
  const record = buildRecord(deps, plan, withDelay(draft, Math.max(plan.until ?? 0, room ?? 0), plan.isRetry));
  const { id, job } = record;
  if (isJudged) await replaceOthers(deps, unit, record);
  unit.emit("job.launched", { id, event: job.event });
  // A retry is launched while the previous attempt ends, under locks that a start would take in a different order.
  const started = plan.isRetry ? undefined : await deps.jobs.monitor.startAtOnce(unit, record);
  const collect = isBounded ? undefined : plan.collect;
  await storeJob(unit, { record, started, collect });
  return job;
}

interface Stored extends Pick<LaunchPlan, "collect"> {
  readonly record: ActiveJob;
  /** The record of a job that could be started during its launch. */
  readonly started: ActiveJob | undefined;
}

async function storeJob({ tx }: Unit, { record, started, collect }: Stored): Promise<void> {
  if (started && collect) return collect(started);
  await tx.collection(activeJobCollection).insert(started ?? record);
  if (started) return;
  const { id, job } = record;
  await tx.enqueue("jobs.advance", { id }, { key: id, ...(job.until === undefined ? {} : { runAt: job.until }) });
}

interface DayCheck {
  readonly plan: LaunchPlan;
  readonly limits: readonly Limit[];
}

/** Refuses a launch if the jobs of its event on all nodes have reached a limit of the day. */
async function checkDay({ jobs }: LaunchDeps, tx: WriteTx, { plan, limits }: DayCheck): Promise<void> {
  const wanted = dayLimits(limits, plan.source);
  if (wanted.length === 0) return;
  const { id } = plan.event;
  const problem = dayProblem(wanted, await jobs.stats.read(tx, `events/${id}`), id);
  if (problem !== undefined) throw refuse(problem);
}

/** Counts the launch against the global cap; returns Unix seconds when it must wait for a later minute. */
async function takeRoom(
  { config, launchRoom }: LaunchDeps,
  tx: WriteTx,
  { source, isRetry }: LaunchPlan,
): Promise<number | undefined> {
  const cap = config.max_jobs_per_min;
  if (cap === 0) return undefined;
  const place = await launchRoom.take(waitsForRoom(source, isRetry));
  if (!place) throw refuse(`Global jobs per minute limit has been reached (${cap}/min)`);
  whenTakenBack(tx, place.giveBack);
  return place.at;
}

interface Parts extends Pick<Definitions, "event" | "plugin"> {
  readonly plan: LaunchPlan;
  readonly lists: Lists;
  /** Environment variables of its trace. */
  readonly variables: Readonly<Record<string, string>>;
}

function draftJob(deps: LaunchDeps, { plan, event, plugin, lists, variables }: Parts): Job {
  const now = deps.clock.now();
  // A retry has the parameters of the previous attempt, and therefore its version too.
  const versions = { params_version: newestVersion([event, plugin]), ...plan.engine, code_version: deps.codeVersion };
  const env = { ...environmentOf(deps.config, plan), ...variables };
  const draft = newJob({
    id: deps.ids.short("j"),
    event: plan.event,
    overrides: plan.overrides,
    ...lists,
    tags: plan.tags,
    engine: { ...versions, source: plan.source, now: plan.now ?? now, env, params: plan.params },
    state: "ready",
    now,
  });
  try {
    const job = withProcess(deps, draft, { plan, plugin });
    return { ...job, ...overridesOf(plan, job) } as Job;
  } catch (error) {
    throw refuse(`Failed to expand parameters: ${messageOf(error)}`);
  }
}

/** Sources whose caller was checked against the targets that were sent. */
const CHECKED_SOURCES: ReadonlySet<string> = new Set(["user", "key"]);

/** Members that parameters override. A retry already has them, and has more tags than it was launched with. */
function overridesOf({ isRetry, params, source }: LaunchPlan, job: Job): Record<string, unknown> {
  if (isRetry) return {};
  const { members } = overridesFromParams(job.params ?? {});
  // A macro in the targets could otherwise name targets that were not checked.
  const { targets } = overridesFromParams(params).members;
  return targets !== undefined && CHECKED_SOURCES.has(source) ? { ...members, targets } : members;
}

const isLater = ({ started }: Job, until = 0): boolean => until > started;

function withDelay(job: Job, until: number, isRetry: boolean): Job {
  return isLater(job, until) ? { ...job, state: isRetry ? "retry_delay" : "start_delay", until } : job;
}

function buildRecord(deps: LaunchDeps, plan: LaunchPlan, job: Job): ActiveJob {
  const { ignored } = plan.isRetry ? { ignored: [] } : overridesFromParams(plan.params);
  const { reach, activation } = plan;
  const details = detailsOf(deps, plan, { job, ignored });
  const kept = { ...(reach ? { reach } : {}), ...(activation === undefined ? {} : { activation }) };
  return { id: job.id, job, details, launched: job.started, ...kept };
}

/** The `env` of a call was removed with the launch members; only the values that the engine stored itself count. */
function environmentOf({ job_env }: Cradle["config"], { event, engine }: LaunchPlan): Record<string, unknown> {
  const members = (env: unknown): object => (typeof env === "object" && env !== null ? env : {});
  return { ...job_env, ...members(event["env"]), ...members(engine["env"]) };
}

/** Expands parameters and command, and adds the members that start the process. */
function withProcess(
  deps: LaunchDeps,
  draft: Job,
  { plan, plugin }: { plan: LaunchPlan; plugin: PluginRecord | undefined },
): Job {
  const context = { ...draft, data: plan.input?.["data"], files: plan.input?.["files"] };
  // The parameters of a retry are already expanded. Expanded values are not trusted and must not be expanded again.
  const params = plan.isRetry ? { ...plan.params } : expandParams(deps.expressions, plan.params, context);
  if (draft.type === "workflow") return { ...draft, params };
  if (!plugin) return { ...draft, params, command: HOST_FUNCTION } as Job;
  const command = expandCommand(deps.expressions, String(plugin.command), { ...context, params });
  return { ...draft, params, command, ...launchMembers(plugin, params, deps.config.default_plugin_credentials.event) };
}

function detailsOf(
  { clock, config, ids, storage }: LaunchDeps,
  plan: LaunchPlan,
  { job, ignored }: { job: Job; ignored: string[] },
): JobDetails {
  const source = plan.source.charAt(0).toUpperCase() + plan.source.slice(1);
  const texts = [
    `${config.client.name} job starting: #${job.id}`,
    `Source: ${source}`,
    `Event ID: #${job.event}`,
    ...(plan.isRetry ? [`Retry of job: #${String(job.retry_prev)}`] : []),
    ...ignored.map(ignoredOverride),
    ...(plan.ignored ?? []).map(ignoredParameter),
  ];
  const epoch = clock.now();
  const server = `m:${storage.coordination.nodeId}`;
  const activity = texts.map((msg): MetaRow => ({ id: ids.short("m"), epoch, msg, server }));
  return {
    activity,
    ...(plan.input && Object.keys(plan.input).length > 0 ? { input: { ...plan.input } } : {}),
    ...(plan.workflowData === undefined ? {} : { workflowData: plan.workflowData }),
  };
}

/** Launches at most once per key; a second call looks up the job of the first one. Undefined when that job is gone. */
export async function launchOnce(
  deps: LaunchDeps,
  unit: Unit,
  key: string,
  launch: () => Promise<Job>,
): Promise<Job | undefined> {
  const { id, job } = await launchKeyed(deps, unit, { key }, launch);
  return job ?? findJob(unit.tx, id);
}

export interface LaunchKey {
  readonly key: string;
  /** Seconds after which the key may be used again; absent = when it is forgotten. */
  readonly windowSec?: number;
}

/** Launches unless the key was used before; `job` is present only if this call created it. */
export async function launchKeyed(
  { clock }: Pick<LaunchDeps, "clock">,
  { tx }: Unit,
  { key, windowSec = Number.POSITIVE_INFINITY }: LaunchKey,
  launch: () => Promise<Job>,
): Promise<{ readonly id: string; readonly job?: Job }> {
  const id = sha256Hex(key);
  const launches = tx.collection(jobLaunchCollection);
  await tx.lock(`jobs:launch:${id}`);
  const before = await launches.get(id);
  if (before && clock.now() - before.created < windowSec) return { id: before.job };
  const job = await launch();
  const entry = { id, job: job.id, created: clock.now() };
  if (before) await launches.update(id, () => entry);
  else await launches.insert(entry);
  return { id: job.id, job };
}

async function findJob(tx: WriteTx, id: string): Promise<Job | FinalJob | undefined> {
  const active = await tx.collection(activeJobCollection).get(id);
  return active?.job ?? tx.collection(jobCollection).get(id);
}
