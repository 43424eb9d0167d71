import { hasResult } from "../../../fleet/actions/rules/list.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { ActionOutcome, ActionRun, ActionType } from "../../../kernel/plugins/action-type.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import { isObject } from "../../../lib/json/is-object.ts";
import { readableDuration } from "../../../lib/time/readable.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { activeJobCollection } from "../collection.ts";
import { ignoredOverride, overridesFromParams } from "../launch/rules/launch.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { ActiveJob, Job } from "../model.ts";
import { goingOn } from "../rules/members.ts";
import { createSuspensionNotices, type SuspensionNotices, type SuspensionNoticesDeps } from "./suspension-notices.ts";

/** The request to resume a suspended job. */
export interface Resumption {
  /** The actor, for the details of the action: "user: ann". */
  readonly by: string;
  /** Merged into the parameters of the job. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Names of parameters that the actor may not change; they keep their values. */
  readonly locked?: ReadonlySet<string>;
  /** Graph node of the workflow that follows. */
  readonly redirect?: string;
}

/**
 * Suspends jobs until a person resumes them (docs/contract/jobs.md#suspension). The suspending actions are in the record, so they
 * survive restarts.
 */
export interface Suspension {
  /**
   * Suspends the job of this action and queues its notices, once. To be used as the whole `run` of an action: its result is
   * stored at once, and the phase ends when a person resumes or aborts the job, whether or not the notices have been sent.
   */
  hold(run: ActionRun): Promise<ActionOutcome>;
  /** Resumes a suspended job within the caller's unit; throws `DomainError` ("job") with the contract's text. */
  resume(unit: Unit, record: ActiveJob, resumption: Resumption): Promise<void>;
  /** Worker of "jobs.suspension_notices". */
  readonly worker: WorkHandler;
}

interface Tools {
  readonly desk: JobDesk;
}

export function createSuspension(deps: SuspensionNoticesDeps, tools: Tools): Suspension {
  const notices = createSuspensionNotices(deps, tools.desk);
  return {
    hold: (run) => hold(deps, { ...tools, notices }, run),
    worker: notices.worker,
    async resume(unit, given, { by, params: sent = {}, locked, redirect }) {
      const { id } = given;
      const index = activeSuspend(given);
      const action = given.job.actions?.[index];
      if (!given.job.suspended) throw new DomainError("job", "conflict", `Job is not currently suspended: ${id}`);
      if (!action) throw new DomainError("job", "conflict", `Cannot locate active suspend action in job: ${id}`);
      if (redirect !== undefined) await requireNode(unit, given, redirect);
      const record = withRedirect(goingOn(given), redirect);
      const now = deps.clock.now();
      const waited = readableDuration(now - Number(action["date"]));
      const when = new Date(now * 1000).toISOString();
      const params = filterMembers(sent, (name) => !locked?.has(name));
      const texts = [`Resumed by ${by} after ${waited}`, ...ignoredIn(params), ...lockedIn(sent, locked)];
      const details = [action["details"], `Resumed by ${by} on ${when} after ${waited}`].filter(Boolean).join("\n\n");
      const actions = (record.job.actions ?? []).map((each, place) => (place === index ? { ...each, details } : each));
      const job = { ...withParams(record.job, params), actions };
      const next = tools.desk.meta({ ...record, job: isBeforeStart(job) ? withoutServer(job) : job }, texts);
      await unit.tx.collection(activeJobCollection).update(id, () => next);
      await unit.tx.enqueue("jobs.advance", { id }, { key: id });
      unit.emit("job.updated", { id });
    },
  };
}

/** Refuses a node that cannot follow: the job must be part of a workflow, and the node must be one on which a job runs. */
async function requireNode({ tx }: Unit, { job }: ActiveJob, node: string): Promise<void> {
  const parent = job.workflow?.["job"];
  const workflow = typeof parent === "string" ? await tx.collection(activeJobCollection).get(parent) : undefined;
  const nodes: unknown = workflow?.job.workflow?.["nodes"];
  const isIt = (each: unknown): boolean =>
    isObject(each) && each["id"] === node && (each["type"] === "event" || each["type"] === "job");
  if (!Array.isArray(nodes) || !nodes.some(isIt))
    throw new DomainError("job", "unknown", `Workflow node not found: ${node}`);
}

const withRedirect = (record: ActiveJob, redirect: string | undefined): ActiveJob =>
  redirect === undefined
    ? record
    : { ...record, job: { ...record.job, workflow: { ...record.job.workflow, redirect } } };

interface HoldTools extends Tools {
  readonly notices: SuspensionNotices;
}

async function hold(
  { clock }: Pick<SuspensionNoticesDeps, "clock">,
  { desk, notices }: HoldTools,
  run: ActionRun,
): Promise<ActionOutcome> {
  const { id, source } = run.data["job"] as Job;
  const { sources } = run.action;
  if (Array.isArray(sources) && sources.length > 0 && !sources.includes(source))
    return { code: 0, description: `Not suspended: the source of the job is ${source ?? "unknown"}.` };
  let isOver = false;
  await desk.change(id, async (unit, record) => {
    isOver = record.job.state === "starting" && record.job.complete === true;
    // After a crash in between, the job is already suspended and its notices are queued.
    if (isOver || record.job.suspended) return undefined;
    const place = holderPlace(record.job, run.action);
    const job = { ...record.job, suspended: true, actions: withHolder(record.job, place, clock.now()) };
    await notices.queue(unit, job.actions[place], { id, place, key: run.idempotencyKey });
    unit.emit("job.updated", { id });
    return desk.meta({ ...record, job }, ["Job is suspended until somebody resumes it"]);
  });
  return isOver ? { code: 0, description: "Not suspended: the job was aborted." } : HELD;
}

const HELD = { code: 0, description: "Job was suspended." };

function holderPlace({ actions }: Job, { condition }: ActionRun["action"]): number {
  return (actions ?? []).findIndex(
    (each) => each.type === "suspend" && Boolean(each.enabled) && each.condition === condition && !hasResult(each),
  );
}

/**
 * The action gets its result as soon as the job is suspended: a person who has been notified may resume the job while others are
 * still being notified.
 */
const withHolder = ({ actions }: Job, place: number, date: number): Action[] =>
  (actions ?? []).map((each, index) => (index === place ? { ...each, ...HELD, date, active: true } : each));

/** The final result of a suspend action. Notices may have been sent, and the job resumed, before it is stored. */
export function settledHolder({ job }: ActiveJob, held: Action | undefined, result: Action): Action {
  return { ...result, details: held?.["details"] ?? "", ...(job.suspended ? { active: true } : {}) };
}

const activeSuspend = ({ job }: ActiveJob): number =>
  (job.actions ?? []).findIndex((action) => action.type === "suspend" && action["active"]);

const isBeforeStart = ({ state }: Job): boolean => state === "starting";

/** Removes the server: much may have changed meanwhile, so the server is chosen again. */
function withoutServer(job: Job): Job {
  const { server: _left, groups: _its, ...rest } = job;
  return rest as Job;
}

/**
 * Merges parameters that a person gives; some override members, as at a launch (docs/contract/parameters.md#override-parameters).
 * `ephemeral` cannot be overridden after the end of a job, because that would let a person hide the record of a failure.
 */
function withParams(job: Job, params: Readonly<Record<string, unknown>>): Job {
  if (Object.keys(params).length === 0) return job;
  const { ephemeral, ...members } = overridesFromParams(params).members;
  const isOpen = ephemeral !== undefined && job.state !== "complete";
  return { ...job, params: { ...job.params, ...params }, ...members, ...(isOpen ? { ephemeral } : {}) } as Job;
}

const ignoredIn = (params: Readonly<Record<string, unknown>>): string[] =>
  overridesFromParams(params).ignored.map(ignoredOverride);

const lockedIn = (sent: Readonly<Record<string, unknown>>, locked: ReadonlySet<string> = new Set()): string[] =>
  Object.keys(sent).flatMap((name) => (locked.has(name) ? [`WARNING: Ignoring locked parameter: ${name}`] : []));

/** Blocks its phase until a person resumes the job. */
export const suspendAction: ActionType = {
  applies: ["job"],
  target: () => "",
  run: (run, { jobs }) => jobs.suspension.hold(run),
};
