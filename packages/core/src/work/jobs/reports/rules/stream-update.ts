import type { FinalJob, Job } from "../../model.ts";

type Members = Record<string, unknown>;

const WHEN_SET = ["cpu", "mem", "disk", "net", "updated"] as const;
const ON_CHANGE = ["status", "label"] as const;
const CONTENT = ["redraw", "table", "html"] as const;

/**
 * One update of a running job for its event stream (docs/contract/live.md#stream-of-a-job); `before` is the job in the previous
 * update.
 */
export function runningUpdate(job: Job, before: Job | undefined): Members {
  const pick = (names: readonly string[]): Members =>
    Object.fromEntries(names.flatMap((name) => (job[name] === undefined ? [] : [[name, job[name]]])));
  return {
    xy: 1,
    ...(before ? {} : { id: job.id, started: job.started }),
    ...(job.state === before?.state ? {} : { state: job.state, ...pick(["until"]) }),
    ...(job.server === before?.server ? {} : pick(["server"])),
    ...pick(WHEN_SET),
    // The first job in the line has position 0, which clients recognise by its absence
    // (docs/contract/jobs.md#similar-jobs-and-the-line).
    ...(job.position ? { position: job.position } : {}),
    ...pick(ON_CHANGE.filter((name) => job[name] !== before?.[name])),
    ...(job.redraw === before?.redraw ? {} : pick(CONTENT)),
    progress: job.progress ?? 0,
  };
}

/** The last update: the job's result and output. */
export function finalUpdate(job: FinalJob): Members {
  const { id, code = 0, completed, elapsed } = job;
  const description = job.description ?? "";
  const made = ["table", "html", "data", "files"].flatMap((name) =>
    job[name] === undefined ? [] : [[name, job[name]]],
  );
  return { xy: 1, id, code, description, completed, elapsed, ...Object.fromEntries(made) };
}

export const failedUpdate = (description: string): Members => ({ xy: 1, error: true, code: 1, description });
