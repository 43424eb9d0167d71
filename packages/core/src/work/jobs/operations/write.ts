import type { Actor } from "../../../kernel/calls/context.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import { pruned } from "../rules/filters.ts";
import { activeWorkflowsOf } from "../upkeep/deletion.ts";
import { requireActive, requireJob } from "./job-access.ts";

const JobId = looseObject(() => ({ id: WordId }));

export const abortJob = defineCommand({
  name: "abort_job",
  parameters: "merged",
  summary: "End a job that is not final yet; a running process is told to stop.",
  access: privilege("abort_jobs"),
  refuses: ["job"],
  input: JobId,
  output: Done,
  async handler({ id }, { actor, audit, emit, services, tx }) {
    const record = await requireActive(tx, actor, id);
    await services.jobs.monitor.abortIn({ audit, emit, tx }, record, { reason: abortReason(actor) });
    audit("job_abort", { job: pruned(record.job), description: id, keywords: [id] });
    return {};
  },
});

function abortReason({ kind, id, title }: Actor): string {
  return kind === "key" ? `Manually aborted by API Key: ${title}` : `Manually aborted by user: ${id}`;
}

export const deleteJob = defineCommand({
  name: "delete_job",
  parameters: "merged",
  summary: "Remove a finished job with its log and files permanently.",
  access: privilege("delete_jobs"),
  refuses: ["job"],
  input: JobId,
  output: Done,
  async handler({ id }, { actor, audit, emit, services, tx }) {
    const active = await tx.collection(activeJobCollection).get(id);
    const jobs = tx.collection(jobCollection);
    const final = active ? undefined : await jobs.get(id);
    const job = active?.job ?? final;
    if (!job) throw new DomainError("job", "unknown", `Failed to load job details: ${id}: Error: Item not found`);
    // Access first, so that the other errors reveal nothing about jobs that callers may not see.
    requireJob(actor, job);
    if (!final) throw new DomainError("job", "conflict", `Cannot delete a job that is still active: ${id}`);
    if ((await activeWorkflowsOf(tx, [job])).size > 0)
      throw new DomainError("job", "conflict", `Cannot delete a job from an active workflow: ${id}`);
    await services.jobs.deletion.remove({ tx, emit }, final);
    audit("job_delete", { job: pruned(job), description: id, keywords: [id] });
    return {};
  },
});
