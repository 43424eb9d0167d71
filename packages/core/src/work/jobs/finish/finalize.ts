import { tagRecords } from "../../../directory/tags/records.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { parseSize } from "../../../lib/time/readable.ts";
import type { Event } from "../../events/model.ts";
import { jobTimelinesCollection } from "../collection.ts";
import { traceJob } from "../launch/job-trace.ts";
import { averages, emptyTimelines } from "../lifecycle/rules/timelines.ts";
import { startLimits } from "../limits/rules/limits.ts";
import type { ConcludedLog } from "../logs/job-logs.ts";
import type { ActiveJob, FinalJob, Job, Timelines } from "../model.ts";
import type { Completion, CompletionTools } from "./completion.ts";
import { applyDeferred } from "./deferred.ts";
import { finalTags } from "./rules/final-tags.ts";
import { resultCode } from "./rules/result-code.ts";

type Deps = Pick<
  Cradle,
  | ("alerts" | "clock" | "config" | "definitions" | "eventChecks")
  | ("eventRecords" | "hooked" | "log" | "references" | "servers" | "storage" | "ticketLinks" | "tracer" | "workflows")
>;

/** The end of a job, beginning with its final tags (docs/contract/jobs.md#completion), as one transaction. */
export function createFinalize(deps: Deps, tools: CompletionTools): Completion["finalize"] {
  const { desk, stats } = tools;
  const takeRest = createRest(deps, tools);
  const { definitions, eventRecords, log } = deps;

  function withTags(record: ActiveJob): ActiveJob {
    const { job, details } = record;
    const { tags, unknown } = finalTags(job.tags ?? [], definitions.all(tagRecords), {
      succeeded: job.code === 0,
      retried: job.retried === true,
      test: Boolean(job.test),
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
    const { concluded, timelines } = await takeRest(unit, given);
    const notes = await applyDeferred(deps, unit, tagged);
    const { job, details } = desk.meta(tagged, [...notes, lastLine(tagged.job)]);
    const final: FinalJob = {
      ...finished(job),
      ...details,
      ...shown(timelines),
      ...titleOf(eventRecords.get(job.event)),
      ...outputOf(job, concluded),
    };
    desk.ended(unit, asStored(final));
    await deps.workflows.noteEnd(unit, final, given);
    if (concluded.leftOver) await unit.tx.enqueue("jobs.archive_log", { id }, { key: id });
    await deps.ticketLinks.noteSuccess(unit, final);
    unit.tx.afterCommit(() => stats.ended(final));
    unit.tx.afterCommit(() => traceJob(deps.tracer, final, given));
    unit.emit("job.completed", { id, event: job.event, code: resultCode(job.code) });
    return asStored(final);
  };
}

/** A job of a job node has no event; while it was active, it was listed under the event of its workflow. */
function asStored(final: FinalJob): FinalJob {
  if (final.type !== "adhoc") return final;
  const { event_title: _title, event_revision: _revision, ...job } = final as FinalJob & Record<string, unknown>;
  return { ...job, event: "" } as FinalJob;
}

/** Adds the data that is stored outside of a running job's record: its log and its timelines. */
function createRest({ config, storage }: Deps, { desk, logs }: CompletionTools) {
  const { nodeId, shared } = storage.coordination;
  return async ({ tx }: Unit, { id, node }: ActiveJob): Promise<Rest> => {
    const live = desk.live.get(id);
    // The last characters may have looked like the start of a secret value; nothing followed, so they are output.
    const rest = live?.mask && live.mask !== "none" ? live.mask.log.rest() : "";
    // This process has stored all output of a job that runs inside it.
    const isOwn = desk.live.wasSentHere(id) && (node === nodeId || !shared);
    const limit = parseSize(config.max_inline_job_log_size);
    const concluded = await logs.conclude(tx, id, { rest, limit, isOwn });
    if (live && isOwn && live.timelinesWritten === 0) return { concluded, timelines: live.timelines };
    const all = tx.collection(jobTimelinesCollection);
    const stored = await all.get(id);
    if (stored) await all.delete(id);
    return { concluded, timelines: live?.timelines ?? stored ?? emptyTimelines };
  };
}

interface Rest {
  readonly concluded: ConcludedLog;
  readonly timelines: Timelines;
}

const shown = ({ second, minute }: Timelines): object => ({
  ...(second.length > 0 ? { timelines: { second, minute } } : {}),
  ...averages({ second, minute }),
});

const isFilled = (files: unknown): boolean => Array.isArray(files) && files.length > 0;

/** The final job, without members of running jobs and without the effects that have just been applied. */
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

/** The log of a failed job without output states the reason; a workflow runs no process and has no log. */
function outputOf(job: Job, log: ConcludedLog): Record<string, unknown> {
  if (job.type === "workflow") return { log_file_size: 0 };
  if (log.text === undefined) return { log_file_size: log.sizeBytes };
  const text = log.text === "" && job.code !== 0 && job.description ? `${job.description}\n` : log.text;
  return { log_file_size: Buffer.byteLength(text), output: text };
}
