import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/unit-of-work.ts";
import { eventCollection } from "../../events/collection.ts";
import type { Event } from "../../events/model.ts";
import { tagCollection } from "../../tags/collection.ts";
import { activeJobCollection, eventHistoryCollection, jobCollection, jobTimelinesCollection } from "../collection.ts";
import type { ActiveJob, FinalJob, Job } from "../model.ts";
import { finalTags } from "../rules/final-tags.ts";
import { historyLock } from "../rules/history-lock.ts";
import { startLimits } from "../rules/limits.ts";
import { parseSize } from "../rules/readable.ts";
import { resultCode } from "../rules/result-code.ts";
import { averages, emptyTimelines } from "../rules/timelines.ts";
import type { Completion, CompletionTools } from "./completion.ts";
import { applyDeferred } from "./deferred.ts";
import type { ConcludedLog } from "./job-logs.ts";

/** Steps 7 to 15 of part 31 §11, as one transaction. */
export function createFinalize(cradle: Cradle, { desk, logs, stats }: CompletionTools): Completion["finalize"] {
  const { config, definitions, log } = cradle;

  function withTags(record: ActiveJob): ActiveJob {
    const { job, details } = record;
    const { tags, unknown } = finalTags(job.tags ?? [], definitions.all(tagCollection), {
      succeeded: job.code === 0,
      retried: job.retried === true,
      test: Boolean(job["test"]),
      hasFiles: isFilled(details.files) || isFilled(details.input?.["files"]),
      limit: startLimits(job.limits ?? []).tags,
    });
    for (const tag of unknown) log.error({ code: "tag", job: record.id, tag }, "A job carries an unknown tag");
    const warnings = unknown.map((tag) => `WARNING: Ignoring unknown tag: ${tag}`);
    return desk.meta({ ...record, job: { ...job, tags: [...tags] } }, warnings);
  }

  return async (unit, given) => {
    const { id } = given;
    const tagged = withTags(given);
    const live = desk.live.get(id);
    // An end that looked like the beginning of a secret value: nothing came after it.
    const rest = live?.mask && live.mask !== "none" ? live.mask.log.rest() : "";
    const concluded = await logs.conclude(unit.tx, id, { rest, limit: parseSize(config.max_inline_job_log_size) });
    const stored = await unit.tx.collection(jobTimelinesCollection).get(id);
    const timelines = live?.timelines ?? stored ?? emptyTimelines;
    await remember(unit, tagged.job);
    const notes = await applyDeferred(cradle, unit, tagged);
    const { job, details } = desk.meta(tagged, [...notes, lastLine(tagged.job)]);
    const { second, minute } = timelines;
    const final: FinalJob = {
      ...finished(job),
      ...details,
      ...(second.length > 0 ? { timelines: { second, minute } } : {}),
      ...averages(timelines),
      ...titleOf(definitions.get(eventCollection, job.event)),
      ...outputOf(job, concluded),
    };
    await store(unit, final, { archive: concluded.leftOver, hasTimelines: stored !== undefined });
    unit.tx.afterCommit(() => stats.ended(final));
    unit.emit("job.completed", { id, event: job.event, code: resultCode(job.code) });
    return final;
  };
}

const isFilled = (files: unknown): boolean => Array.isArray(files) && files.length > 0;

/** Without what belongs to a running job, and without the effects that were applied just now. */
function finished(job: Job): Job {
  const { delete_event: _deleted, update_event: _updated, suspended: _over, ...rest } = job;
  const { procs: _procs, conns: _conns, ...kept } = rest;
  return { ...kept, state: "complete", final: true } as Job;
}

function lastLine({ code, description }: Job): string {
  if (code === 0) return "Job completed successfully.";
  const reason = description ? `: ${description}` : "";
  return code === "abort" ? `Job was aborted${reason}` : `Job failed with code ${String(code)}${reason}`;
}

const titleOf = (event: Event | undefined): Record<string, unknown> =>
  event ? { event_title: event.title, event_revision: event.revision ?? 1 } : {};

/** A failed job without output says why in its log. */
function outputOf(job: Job, log: ConcludedLog): Record<string, unknown> {
  if (log.text === undefined) return { log_file_size: log.sizeBytes };
  const text = log.text === "" && job.code !== 0 && job.description ? `${job.description}\n` : log.text;
  return { log_file_size: Buffer.byteLength(text), output: text };
}

interface Leftovers {
  readonly archive: boolean;
  readonly hasTimelines: boolean;
}

/** The record moves from the active set to the finished ones, whole. */
async function store({ tx }: Unit, final: FinalJob, { archive, hasTimelines }: Leftovers): Promise<void> {
  if (!final["ephemeral"]) await tx.collection(jobCollection).insert(final);
  await tx.collection(activeJobCollection).delete(final.id);
  if (hasTimelines) await tx.collection(jobTimelinesCollection).delete(final.id);
  if (archive) await tx.enqueue("jobs.archive_log", { id: final.id }, { key: final.id });
}

/** What the event remembers of its last job (part 30 §2); a retried attempt is not one. */
async function remember({ tx }: Unit, { event, id, code, completed = 0, elapsed = 0, retried }: Job): Promise<void> {
  if (retried || !(await tx.collection(eventCollection).get(event))) return;
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
