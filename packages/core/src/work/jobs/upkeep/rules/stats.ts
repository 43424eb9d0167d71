import { processedConditions, resultCode, resultConditions } from "../../finish/rules/result-code.ts";
import type { FinalJob, Job } from "../../model.ts";

/** Counters by name: `job_start`, `job_success`, `job_elapsed` … */
export type Counts = Readonly<Record<string, number>>;

/**
 * Sections in which a job counts in addition to the whole installation: "events/e1", "servers/s1" … A job of a job node counts
 * under its workflow's event, which its final record only names there.
 */
export function sectionsOf({ event, category, plugin, server, groups = [], workflow }: Job): string[] {
  const named = { events: event || workflow?.["event"], categories: category, plugins: plugin, servers: server };
  return [
    ...Object.entries(named).flatMap(([section, id]) => (id ? [`${section}/${id}`] : [])),
    ...groups.map((id) => `groups/${id}`),
  ];
}

/** True when the end of a job counts: a retried attempt counts only at its start (docs/contract/jobs.md#statistics). */
export const endCounts = (job: Pick<Job, "retried">): boolean => !job.retried;

/**
 * Counts that the end of a job adds to the day, in each of its sections; a test run may exclude some conditions
 * (docs/contract/actions.md#conditions).
 */
export function conditionCounts(job: Pick<Job, "code"> & { readonly [member: string]: unknown }): Counts {
  const fired = processedConditions(job, resultConditions(resultCode(job.code), []));
  return Object.fromEntries(fired.map((condition) => [`job_${condition}`, 1]));
}

/** A final job with the code that was counted at its end: a late report has made the `abort` of an unreported job a `warning`. */
export const asCounted = (job: FinalJob): FinalJob =>
  job["late"] && job.code === "warning" ? { ...job, code: "abort" } : job;

/** Daily sums of the whole installation (docs/contract/jobs.md#completion). */
export function sumsOf({ log_file_size = 0, elapsed = 0, files }: FinalJob): Counts {
  return { job_log_file_size: log_file_size, job_elapsed: elapsed, job_files: Array.isArray(files) ? files.length : 0 };
}

export function addCounts(one: Counts, other: Counts, factor = 1): Record<string, number> {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + factor * count;
  return sum;
}

/**
 * Counters after a change. Never below 0: a deleted job may have been counted elsewhere, or by a node that lost its last second.
 */
export const changedCounts = (stored: Counts, change: Counts): Record<string, number> =>
  Object.fromEntries(Object.entries(addCounts(stored, change)).map(([name, count]) => [name, Math.max(0, count)]));
