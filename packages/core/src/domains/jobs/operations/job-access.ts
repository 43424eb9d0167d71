import type { Actor } from "../../../kernel/context.ts";
import { NotFoundError } from "../../../kernel/errors.ts";
import { mayAccess, requireAccess } from "../../auth/require-access.ts";
import type { ActiveJob, Job } from "../model.ts";
import { restrictionOf } from "../rules/restriction.ts";

export const requireJob = (actor: Actor, job: Job): void => requireAccess(actor, restrictionOf(job));
export const maySeeJob = (actor: Actor, job: Job): boolean => mayAccess(actor, restrictionOf(job));

export const jobNotFound = (id: string): NotFoundError =>
  new NotFoundError(`Failed to load job details: ${id}: Error: Item not found`);

/** An active job as one record. */
export const wholeJob = ({ job, details }: ActiveJob): Job => ({ ...details, ...job });
