import { type StartLimits, startLimits } from "../../limits/rules/limits.ts";
import type { Job } from "../../model.ts";

/**
 * What happens to a job while another one of its event is not over. "all": both run, as far as limits allow. "queue": it waits in
 * a line. "skip": it is not launched. "replace": the others are aborted, then it runs.
 */
const OVERLAPS = ["all", "queue", "skip", "replace"] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const overlapOf = ({ overlap }: Readonly<Record<string, unknown>>): Overlap =>
  OVERLAPS.find((name) => name === overlap) ?? "all";

/** Most jobs of one event that wait in its line; limits of the event may allow more. */
const MAX_WAITING = 1000;

/** The start limits of a job, with the limits of its overlap policy merged in. */
export function startLimitsOf(job: Pick<Job, "limits"> & { readonly overlap?: unknown }): StartLimits {
  const limits = startLimits(job.limits ?? []);
  const overlap = overlapOf(job);
  if (overlap !== "queue" && overlap !== "replace") return limits;
  return { ...limits, concurrent: 1, queue: Math.max(limits.queue, MAX_WAITING) };
}
