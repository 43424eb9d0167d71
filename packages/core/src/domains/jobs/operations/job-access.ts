import type { Actor } from "../../../kernel/context.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import { mayAccess, requireAccess } from "../../auth/require-access.ts";
import type { AccessRequest } from "../../auth/rules/access.ts";
import type { ActiveJob, Job } from "../model.ts";

/** Category and targets; a workflow has no targets of its own, so its category decides (part 11 §9). */
const restrictionOf = ({ category = "", targets = [], type }: Job): AccessRequest =>
  type === "workflow" ? { category } : { category, targets };

export const requireJob = (actor: Actor, job: Job): void => requireAccess(actor, restrictionOf(job));
export const maySeeJob = (actor: Actor, job: Job): boolean => mayAccess(actor, restrictionOf(job));

export const jobNotFound = (id: string): NotFoundError =>
  new NotFoundError(`Failed to load job details: ${id}: Error: Item not found`);

/** An active job as one record. */
export const wholeJob = ({ job, details }: ActiveJob): Job => ({ ...details, ...job });
