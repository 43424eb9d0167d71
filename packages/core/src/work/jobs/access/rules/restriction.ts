import type { AccessRequest } from "../../../../directory/access/rules/access.ts";
import type { Job } from "../../model.ts";

/** For changes: category and targets. A workflow has no targets, so its category decides. */
export const restrictionOf = ({ category = "", targets = [], type }: Job): AccessRequest =>
  type === "workflow" ? { category } : { category, targets };

/**
 * For reads: the groups of the job's server count as well as the targets, because a sub-job of a multiplexed node names only its
 * server (docs/contract/jobs.md#reads-and-their-restrictions). Searches apply the same rule through their index.
 */
export const readingOf = (job: Job): AccessRequest => ({ ...restrictionOf(job), ranOn: job.groups ?? [] });
