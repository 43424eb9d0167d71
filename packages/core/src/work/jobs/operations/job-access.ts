import { mayAccess, requireAccess } from "../../../directory/access/require-access.ts";
import type { Actor } from "../../../kernel/calls/context.ts";
import { DomainError, NotFoundError } from "../../../kernel/errors/errors.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { readingOf, restrictionOf } from "../access/rules/restriction.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import type { ActiveJob, Job } from "../model.ts";

/** Access for operations that change the job. */
export const requireJob = (actor: Actor, job: Job): void => requireAccess(actor, restrictionOf(job));
/** Access for operations that show the job. */
export const requireShown = (actor: Actor, job: Job): void => requireAccess(actor, readingOf(job));
export const maySeeJob = (actor: Actor, job: Job): boolean => mayAccess(actor, readingOf(job));

export const jobNotFound = (id: string): NotFoundError =>
  new NotFoundError(`Failed to load job details: ${id}: Error: Item not found`);

/** A job that is not final. Throws for a job that is unknown, that has ended, or that the caller may not see. */
export async function requireActive(tx: ReadTx, actor: Actor, id: string): Promise<ActiveJob> {
  const record = await tx.collection(activeJobCollection).get(id);
  const job = record?.job ?? (await tx.collection(jobCollection).get(id));
  if (job) requireJob(actor, job);
  if (record) return record;
  throw new DomainError("job", job ? "conflict" : "unknown", `Job not found or is no longer active: ${id}`);
}

/** Combines an active job and its details. */
export const wholeJob = ({ job, details }: ActiveJob): Job => ({ ...details, ...job });
