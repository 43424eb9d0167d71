import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { Action, Limit } from "../../../wire/entries/actions-and-limits.ts";
import type { Event } from "../../events/model.ts";
import { type LaunchDeps, launchJob } from "../launch/launch-steps.ts";
import { retryCause } from "../launch/rules/cause.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { ActiveJob, Job } from "../model.ts";
import { decideRetry, membersForRetry, type RetryDecision } from "./rules/retry.ts";

/** An attempt that has ended. */
interface Attempt {
  readonly record: ActiveJob;
  /** The flag that the job was launched with: the record of a failed job is kept despite it, but that of the retry may not be. */
  readonly ephemeral: unknown;
  readonly desk: JobDesk;
}

type Deps = LaunchDeps & Pick<Cradle, "random">;

/** Launches a retry if the limits allow one, and notes it in the record (docs/contract/jobs.md#retries). */
export async function retryIfAllowed(deps: Deps, unit: Unit, { record, ephemeral, desk }: Attempt): Promise<ActiveJob> {
  const decision = decideRetry(record.job, () => deps.random.fraction());
  if (decision.kind === "none") return record;
  if (decision.kind === "exhausted") return desk.meta(record, [`Maximum retries reached: ${decision.total}`]);
  try {
    const next = await launchRetry(deps, unit, { record, ephemeral }, decision);
    const links = [...(record.job.jobs ?? []), { id: next.id, reason: "retry" }];
    const marked = { ...record, job: { ...record.job, retried: true, jobs: links } };
    return desk.meta(marked, [`Job will be retried as #${next.id} (retry ${decision.count} of ${decision.total})`]);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return desk.meta(record, [`Job could not be retried: ${error.description}`]);
  }
}

/** Launches a retry with a new id; it may be refused like any other launch. */
function launchRetry(
  deps: Deps,
  unit: Unit,
  { record, ephemeral }: Omit<Attempt, "desk">,
  { count, delay }: RetryDecision & { kind: "again" },
): Promise<Job> {
  const { job, details } = record;
  const { actions, limits, tags, params, now, ...kept } = membersForRetry(record);
  return launchJob(deps, unit, {
    event: { ...eventOf(deps, job), category: job.category ?? "", plugin: job.plugin ?? "" },
    source: job.source ?? "scheduler",
    isRetry: true,
    overrides: {},
    engine: {
      ...kept,
      ...(ephemeral ? { ephemeral } : {}),
      retry_count: count,
      retry_prev: job.id,
      cause: retryCause(job),
    },
    params: (params ?? {}) as Record<string, unknown>,
    input: details.input,
    workflowData: record.workflowData ?? (record.dispatched === undefined ? details["workflowData"] : undefined),
    tags: (tags ?? []) as string[],
    actions: actions as Action[],
    limits: limits as Limit[],
    test: { on: Boolean(job.test), actions: Boolean(job.test_actions), limits: Boolean(job.test_limits) },
    now: now as number | undefined,
    until: delay > 0 ? deps.clock.now() + delay : undefined,
    reach: record.reach,
    activation: record.activation,
  });
}

/**
 * The event from which the retry is launched. A job of a job node is only listed under its workflow's event and copies nothing
 * from it. A deleted event has no record to copy; the launch then refuses it by its id.
 */
function eventOf({ eventRecords }: Deps, { event: id, type }: Job): Event {
  const known = type === "adhoc" ? undefined : eventRecords.get(id);
  return known ?? ({ id, title: id, ...(type === undefined ? {} : { type }) } as Event);
}
