import type { Job } from "../../model.ts";

/**
 * Key that is the same for jobs that count as similar for the limits `job` and `queue`
 * (docs/contract/jobs.md#similar-jobs-and-the-line).
 */
export function scopeOf(job: Pick<Job, "event" | "type"> & { readonly workflow?: unknown }): string {
  const { job: parent, node } = (job.workflow ?? {}) as { job?: unknown; node?: unknown };
  const owner = typeof parent === "string" ? `${parent}/${String(node ?? "")}` : job.event;
  return job.type ? `${owner}:${job.type}` : owner;
}
