import { requireAccess } from "../../../directory/access/require-access.ts";
import { defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { flag, Id } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { eventCollection } from "../collection.ts";

export const deleteEvent = defineCommand({
  name: "delete_event",
  summary: "Remove an event and its state; refused while it has active jobs.",
  access: privilege("delete_events"),
  refuses: ["event"],
  input: looseObject(() => ({ id: Id, delete_jobs: flag().optional() })),
  output: Done,
  async handler({ id, delete_jobs: deleteJobs }, context) {
    const { actor, clock, services, tx } = context;
    const event = await tx.collection(eventCollection).get(id);
    if (!event) throw new DomainError("event", "unknown", `Event not found: ${id}`);
    requireAccess(actor, { category: event.category, targets: event.targets });
    const total = await services.activeJobs.countOf(tx, id);
    if (total > 0) throw new DomainError("event", "conflict", `Failed to delete event: ${total} active jobs found`);
    await services.eventRecords.remove(context, event);
    // Last in this transaction: the jobs are deleted later, page by page.
    if (deleteJobs) await services.jobs.deletion.enqueue(tx, { event: id, now: clock.now() });
    return {};
  },
});
