import { tagRecords } from "../../../directory/tags/records.ts";
import { collectActions, dedupeActions, hasResult, type PlacedAction } from "../../../fleet/actions/rules/list.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { JobLogs } from "../logs/job-logs.ts";
import type { ActiveJob, FinalJob, Job } from "../model.ts";
import { withoutMembers } from "../rules/members.ts";
import type { JobStats } from "../upkeep/stats.ts";
import { createFinalize } from "./finalize.ts";
import { retryIfAllowed } from "./retry.ts";
import { resolveTag } from "./rules/final-tags.ts";
import { processedConditions, resultCode, resultConditions } from "./rules/result-code.ts";

/** The end of a job (docs/contract/jobs.md#completion), in two halves: before its completion actions and after them. */
export interface Completion {
  /** Stores the end, and decides about a retry and about the conditions that fire. Idempotent. */
  begin(unit: Unit, record: ActiveJob): Promise<ActiveJob>;
  /** Actions that the job's state requires and that have no result yet. */
  pending(record: ActiveJob): PlacedAction[];
  /** Converts the active job to its final record. The log must be on disk. */
  finalize(unit: Unit, record: ActiveJob): Promise<FinalJob>;
}

export interface CompletionTools {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
  readonly stats: JobStats;
}

type Deps = Pick<
  Cradle,
  | (
      | "alerts"
      | "clock"
      | "codeVersion"
      | "config"
      | "definitions"
      | "eventChecks"
      | "eventRecords"
      | "eventStates"
      | "expressions"
      | "hooked"
      | "hooks"
      | "ids"
      | "launchRoom"
    )
  | ("jobs" | "log" | "random" | "references" | "registry" | "servers" | "storage" | "ticketLinks" | "tracer")
  | "workflows"
>;

export function createCompletion(deps: Deps, tools: CompletionTools): Completion {
  const { clock, registry } = deps;
  const targetOf = (action: Action): string => registry.actionTypes.get(action.type)?.target(action) ?? "";
  return {
    async begin(unit, given) {
      if (given.conditions) return given;
      const ended = stampEnd(given, clock.now());
      const { ephemeral } = given.job;
      const record = await retryIfAllowed(deps, unit, { record: ended, ephemeral, desk: tools.desk });
      const { retry_ok: _decided, ...rest } = record.job;
      const job = rest as Job;
      if (job.retried) return { ...record, job, conditions: [] };
      const conditions = conditionsOfEnd(deps, job);
      await deps.hooks.noteJob(unit.tx, { ...record, job }, processedConditions(job, conditions));
      return markUnknownTags(deps, tools.desk, { ...record, job, conditions });
    },
    pending(record) {
      const collected = collectActions(record.job.actions ?? [], conditionsNow(record));
      return dedupeActions(collected, targetOf).filter(({ action }) => !hasResult(action));
    },
    finalize: createFinalize(deps, tools),
  };
}

/** Steps 1 to 4: sets times and code, and removes members that only a running job has. */
function stampEnd(record: ActiveJob, now: number): ActiveJob {
  const { job, details } = withoutMembers(record, ["remote", "redraw", "status", "until", "position"]);
  const code = resultCode(job.code);
  const hasFiles = Array.isArray(details.files) && details.files.length > 0;
  const isKept = code !== 0 || hasFiles;
  const { ephemeral, ...rest } = job;
  const completed = endOf(record, now);
  const elapsed = Math.max(0, completed - job.started);
  const stamps = { state: "complete", code, complete: true, completed, elapsed, updated: now };
  return { ...record, job: { ...rest, ...(ephemeral && !isKept ? { ephemeral } : {}), ...stamps } as Job };
}

/**
 * A satellite that was disconnected may report long after the end, so its time is used. It is ignored if it does not lie between
 * the start and now, because then the satellite's clock is wrong.
 */
function endOf({ job, reportedEnd }: ActiveJob, now: number): number {
  const isLikely = reportedEnd !== undefined && reportedEnd >= job.started && reportedEnd <= now;
  return isLikely ? reportedEnd : now;
}

function conditionsOfEnd({ definitions }: Deps, job: Job): string[] {
  const known = definitions.all(tagRecords);
  const tags = (job.tags ?? []).flatMap((tag) => resolveTag(tag, known) ?? []);
  return resultConditions(resultCode(job.code), [...new Set(tags)]);
}

/**
 * An action on a tag that does not exist can never run, so it gets a result that says so (docs/contract/tags.md#unknown-tags).
 */
function markUnknownTags({ clock, definitions }: Deps, desk: JobDesk, record: ActiveJob): ActiveJob {
  const known = definitions.all(tagRecords);
  const notes: string[] = [];
  const actions = (record.job.actions ?? []).map((action) => {
    const id = action.condition.startsWith("tag:") ? action.condition.slice(4) : undefined;
    const isFine = id === undefined || known.some((tag) => tag.id === id);
    if (isFine || !action.enabled || hasResult(action)) return action;
    const description = `Unknown tag: ${id}`;
    notes.push(description);
    return { ...action, date: clock.now(), code: "tag", description, details: "", elapsed_ms: 0 };
  });
  return desk.meta({ ...record, job: { ...record.job, actions } }, notes);
}

/** Actions that are added with the condition `instant` run at any time. */
function conditionsNow({ job, conditions = [] }: ActiveJob): readonly string[] {
  switch (job.state) {
    case "starting":
      return [...processedConditions(job, ["start"]), "instant"];
    case "active":
    case "finishing":
      return ["instant"];
    case "complete":
      return ["instant", ...processedConditions(job, conditions)];
    default:
      return [];
  }
}
