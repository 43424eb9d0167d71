import type { Cradle } from "../../../kernel/container.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { eventCollection } from "../../events/collection.ts";
import type { Event } from "../../events/model.ts";
import { tagCollection } from "../../tags/collection.ts";
import { activeJobCollection, eventHistoryCollection, jobCollection, jobTimelinesCollection } from "../collection.ts";
import type { Action, ActiveJob, FinalJob, Job, Limit } from "../model.ts";
import { collectActions, dedupeActions, hasResult, type PlacedAction, targetOfUnhandled } from "../rules/actions.ts";
import { finalTags, resolveTag } from "../rules/final-tags.ts";
import { withoutMembers } from "../rules/lifecycle.ts";
import { startLimits } from "../rules/limits.ts";
import { parseSize } from "../rules/readable.ts";
import { resultCode, resultConditions } from "../rules/result-code.ts";
import { decideRetry, membersForRetry, type RetryDecision } from "../rules/retry.ts";
import { averages, emptyTimelines } from "../rules/timelines.ts";
import { applyDeferred } from "./deferred.ts";
import type { JobDesk } from "./job-desk.ts";
import type { JobLogs } from "./job-logs.ts";
import { launchJob } from "./launch-steps.ts";
import { historyLock } from "./start-facts.ts";

/** The end of a job (part 31 §11), in two halves: before its completion actions and after them. */
export interface Completion {
  /** Stamps the end, decides the retry and which conditions fire. Does nothing the second time. */
  begin(unit: Unit, record: ActiveJob): Promise<ActiveJob>;
  /** Actions that the job's state calls for and that have no result yet. */
  pending(record: ActiveJob): PlacedAction[];
  /** Turns the active job into its final record. The log must be on disk. */
  finalize(unit: Unit, record: ActiveJob): Promise<FinalJob>;
}

interface Tools {
  readonly desk: JobDesk;
  readonly logs: JobLogs;
}

export function createCompletion(cradle: Cradle, { desk, logs }: Tools): Completion {
  const { clock, definitions, registry } = cradle;
  const knownTags = () => definitions.all(tagCollection);
  const targetOf = (action: Action): string =>
    registry.actionTypes.get(action.type)?.target(action) ?? targetOfUnhandled(action);
  const select = ({ job }: ActiveJob, conditions: readonly string[]): PlacedAction[] =>
    dedupeActions(collectActions(job.actions ?? [], conditions), targetOf).filter(({ action }) => !hasResult(action));

  async function begin(unit: Unit, given: ActiveJob): Promise<ActiveJob> {
    if (given.conditions) return given;
    const stamped = stampEnd(given, clock.now());
    const decision = decideRetry(stamped.job);
    const record = await retry(unit, stamped, decision);
    const { retry_ok: _decided, ...job } = record.job;
    if (job.retried) return { ...record, job: job as Job, conditions: [] };
    const tags = (job.tags ?? []).flatMap((tag) => resolveTag(tag, knownTags()) ?? []);
    const wanted = job["test_conditions"];
    const all = resultConditions(resultCode(job.code), [...new Set(tags)]);
    const conditions =
      job["test"] && Array.isArray(wanted) ? all.filter((condition) => wanted.includes(condition)) : all;
    return markUnknownTags({ ...record, job: job as Job, conditions });
  }

  /** An action that waits for a tag which does not exist can never run, so it says so (part 33 §2). */
  function markUnknownTags(record: ActiveJob): ActiveJob {
    const notes: string[] = [];
    const actions = (record.job.actions ?? []).map((action) => {
      const id = action.condition.startsWith("tag:") ? action.condition.slice(4) : undefined;
      if (id === undefined || !action.enabled || hasResult(action) || knownTags().some((tag) => tag.id === id))
        return action;
      notes.push(`Unknown tag: ${id}`);
      return {
        ...action,
        date: clock.now(),
        code: "tag",
        description: `Unknown tag: ${id}`,
        details: "",
        elapsed_ms: 0,
      };
    });
    return desk.meta({ ...record, job: { ...record.job, actions } }, notes);
  }

  async function retry(unit: Unit, record: ActiveJob, decision: RetryDecision): Promise<ActiveJob> {
    if (decision.kind === "none") return record;
    if (decision.kind === "exhausted") return desk.meta(record, [`Maximum retries reached: ${decision.total}`]);
    try {
      const next = await launchRetry(cradle, unit, record, decision);
      const links = [...(record.job.jobs ?? []), { id: next.id, reason: "retry" }];
      const marked = { ...record, job: { ...record.job, retried: true, jobs: links } };
      return desk.meta(marked, [`Job will be retried as #${next.id} (attempt ${decision.count} of ${decision.total})`]);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return desk.meta(record, [`Job could not be retried: ${error.description}`]);
    }
  }

  async function finalize(unit: Unit, given: ActiveJob): Promise<FinalJob> {
    const { id } = given;
    const record = withTags(given);
    const limit = parseSize(cradle.config.max_inline_job_log_size);
    const log = await logs.conclude(unit.tx, id, limit);
    const stored = await unit.tx.collection(jobTimelinesCollection).get(id);
    const timelines = desk.live.get(id)?.timelines ?? stored ?? emptyTimelines;
    await remember(unit, record.job);
    const notes = await applyDeferred(cradle, unit, record.job);
    const { job, details } = desk.meta(record, [...notes, lastLine(record.job)]);
    const final: FinalJob = {
      ...dropped(job, ["procs", "conns", "remote", "position"]),
      ...details,
      ...(timelines.second.length > 0 ? { timelines: { second: timelines.second, minute: timelines.minute } } : {}),
      ...averages(timelines),
      ...titleOf(definitions.get(eventCollection, job.event)),
      ...outputOf(job, log),
      state: "complete",
      final: true,
    };
    await store(unit, final, { archive: log.leftOver, hasTimelines: stored !== undefined });
    unit.emit("job.completed", { id, event: job.event, code: resultCode(job.code) });
    return final;
  }

  function withTags(record: ActiveJob): ActiveJob {
    const { job, details } = record;
    const { tags, unknown } = finalTags(job.tags ?? [], knownTags(), {
      succeeded: job.code === 0,
      retried: job.retried === true,
      test: Boolean(job["test"]),
      hasFiles: hasFiles(details.files) || hasFiles(details.input?.["files"]),
      limit: startLimits(job.limits ?? []).tags,
    });
    for (const tag of unknown) cradle.log.error({ code: "tag", job: record.id, tag }, "A job carries an unknown tag");
    const noted = desk.meta(
      record,
      unknown.map((tag) => `WARNING: Ignoring unknown tag: ${tag}`),
    );
    return { ...noted, job: { ...noted.job, tags: [...tags] } };
  }

  return {
    begin,
    pending: (record) => select(record, conditionsOf(record)),
    finalize,
  };
}

/** Pushed actions with the condition `instant` run at any time. */
function conditionsOf({ job: { state }, conditions = [] }: ActiveJob): readonly string[] {
  switch (state) {
    case "starting":
      return ["start", "instant"];
    case "active":
    case "finishing":
      return ["instant"];
    case "complete":
      return ["instant", ...conditions];
    default:
      return [];
  }
}

function dropped(job: Job, members: readonly string[]): Job {
  return Object.fromEntries(Object.entries(job).filter(([member]) => !members.includes(member))) as Job;
}

const hasFiles = (files: unknown): boolean => Array.isArray(files) && files.length > 0;

/** Step 1 to 4: times, code, and what only a running job has. */
function stampEnd(record: ActiveJob, now: number): ActiveJob {
  const { job, details } = withoutMembers(record, ["remote", "redraw", "status", "until", "position"]);
  const code = resultCode(job.code);
  const isKept = code !== 0 || hasFiles(details.files);
  const { ephemeral, ...rest } = job;
  const elapsed = Math.max(0, now - job.started);
  const ended = {
    ...rest,
    ...(ephemeral && !isKept ? { ephemeral } : {}),
    state: "complete",
    code,
    complete: true,
    completed: now,
    elapsed,
    updated: now,
  };
  return { ...record, job: ended as Job };
}

function lastLine({ code, description }: Job): string {
  if (code === 0) return "Job completed successfully.";
  const reason = description ? `: ${description}` : "";
  return code === "abort" ? `Job was aborted${reason}` : `Job failed with code ${String(code)}${reason}`;
}

const titleOf = (event: Event | undefined): Record<string, unknown> =>
  event ? { event_title: event.title, event_revision: event["revision"] ?? 1 } : {};

function outputOf(job: Job, log: { sizeBytes: number; text: string | undefined }): Record<string, unknown> {
  if (log.text === undefined) return { log_file_size: log.sizeBytes };
  const text = log.text === "" && job.code !== 0 && job.description ? `${job.description}\n` : log.text;
  return { log_file_size: Buffer.byteLength(text), output: text };
}

/** The record moves from the active set to the finished ones, whole. */
async function store(
  unit: Unit,
  final: FinalJob,
  { archive, hasTimelines }: { archive: boolean; hasTimelines: boolean },
): Promise<void> {
  const { tx } = unit;
  if (!final["ephemeral"]) await tx.collection(jobCollection).insert(final);
  await tx.collection(activeJobCollection).delete(final.id);
  if (hasTimelines) await tx.collection(jobTimelinesCollection).delete(final.id);
  if (archive) await tx.enqueue("jobs.archive_log", { id: final.id }, { key: final.id });
}

/** What the event remembers of its last job (part 30 §2); a retried attempt is not one. */
async function remember({ tx }: Unit, { event, id, code, completed = 0, elapsed = 0, retried }: Job): Promise<void> {
  if (retried) return;
  await tx.lock(historyLock(event));
  const histories = tx.collection(eventHistoryCollection);
  const known = await histories.get(event);
  const history = {
    ...known,
    id: event,
    last_job: id,
    last_code: resultCode(code),
    last_completed: Math.floor(completed),
    total_elapsed: (known?.total_elapsed ?? 0) + Math.floor(elapsed * 100) / 100,
    total_count: (known?.total_count ?? 0) + 1,
  };
  if (known) await histories.update(event, () => history);
  else await histories.insert(history);
}

/** A new attempt under its own id (part 31 §10); refused like any other launch. */
function launchRetry(
  cradle: Cradle,
  unit: Unit,
  record: ActiveJob,
  { count, delay }: RetryDecision & { kind: "again" },
): Promise<Job> {
  const { job, details } = record;
  const { actions, limits, tags, params, now, ...kept } = membersForRetry(record);
  // A deleted event has no record to copy; the launch then refuses it by its id.
  const event = cradle.definitions.get(eventCollection, job.event) ?? ({ id: job.event, title: job.event } as Event);
  return launchJob(cradle, unit, {
    event: { ...event, category: job.category ?? "", plugin: job.plugin ?? "" },
    source: job.source ?? "scheduler",
    isRetry: true,
    overrides: {},
    engine: { ...kept, retry_count: count, retry_prev: job.id },
    params: params as Record<string, unknown>,
    input: details.input,
    workflowData: details["workflowData"],
    tags: tags as string[],
    actions: actions as Action[],
    limits: limits as Limit[],
    test: { on: Boolean(job["test"]), actions: Boolean(job["test_actions"]), limits: Boolean(job["test_limits"]) },
    now: now as number,
    until: delay > 0 ? cradle.clock.now() + delay : undefined,
  });
}
