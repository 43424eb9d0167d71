import type { AccessRequest } from "../../../../directory/access/rules/access.ts";
import type { Job } from "../../model.ts";

/** For changes: category and targets. A workflow has no targets of its own, so its category decides. */
export const restrictionOf = ({ category = "", targets = [], type }: Job): AccessRequest =>
  type === "workflow" ? { category } : { category, targets };

/**
 * For reads: the groups of its server stand in for targets, since a part of a multiplexed node names its server alone
 * (docs/contract/jobs.md#reads-and-their-restrictions). Searches ask the same of their index.
 */
export const readingOf = (job: Job): AccessRequest => ({ ...restrictionOf(job), ranOn: job.groups ?? [] });
