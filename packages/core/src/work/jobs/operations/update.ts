import * as z from "zod";
import { tagRecords } from "../../../directory/tags/records.ts";
import { isSystemTag } from "../../../directory/tags/rules.ts";
import type { Actor, CommandContext } from "../../../kernel/calls/context.ts";
import { admin, defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { actionList } from "../../../wire/entries/action-shape.ts";
import { limitList } from "../../../wire/entries/limit-shape.ts";
import { WordId } from "../../../wire/fields/fields.ts";
import { requireRevision, sentRevision } from "../../../wire/fields/revision.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject } from "../../../wire/schemas/objects.ts";
import { shown, shownMembers } from "../../../wire/schemas/shown-members.ts";
import { activeJobCollection, jobCollection } from "../collection.ts";
import { addMeta } from "../lifecycle/rules/meta.ts";
import { type FinalJob, Job } from "../model.ts";
import { changeActive, changeFinal, replacedTags, withoutCredentials } from "../rules/changes.ts";
import { pruned } from "../rules/filters.ts";
import { JOB_MEMBERS } from "../rules/job-members.ts";
import { requireJob } from "./job-access.ts";

type Members = Readonly<Record<string, unknown>>;

const failed = (id: string, reason: string): DomainError =>
  new DomainError("job", "malformed", `Failed to update job: ${id}: ${reason}`);
const notFound = (id: string): DomainError =>
  new DomainError("job", "unknown", `Failed to update job: ${id}: Error: Item not found`);

export const updateJob = defineCommand({
  name: "update_job",
  summary: "Replace members of a job, running or finished; the state of a running job cannot be changed.",
  access: admin,
  refuses: ["job"],
  accepts: JOB_MEMBERS,
  input: looseObject(() => ({
    id: WordId,
    if_revision: sentRevision,
    ...shownMembers(Job, ["code", "description", "tags", "tickets", "progress"]),
    label: shown(z.string().nullish()),
    actions: shown(actionList().nullish()),
    limits: shown(limitList().nullish()),
  })),
  output: Done,
  async handler({ id, if_revision, revision: _none, ...sent }, { audit, emit, tx }) {
    const members = withoutCredentials(sent);
    const actives = tx.collection(activeJobCollection);
    const finals = tx.collection(jobCollection);
    const active = await actives.get(id);
    const final = active ? undefined : await finals.get(id);
    if (!active && !final) throw notFound(id);
    // The engine changes jobs all the time without counting revisions, so no revision can be current.
    requireRevision({ code: "job", noun: jobCollection.noun }, { id }, { if_revision });
    if (active) {
      const record = orFail(id, changeActive(active, members));
      await actives.update(id, () => record);
    } else if (final) {
      const record = orFail(id, changeFinal(final, members));
      await finals.update(id, () => record);
    }
    audit("job_update", { params: pruned(members), description: id, keywords: [id] });
    emit("job.updated", { id });
    return {};
  },
});

function orFail<T>(id: string, changed: { readonly record: T } | { readonly fault: string }): T {
  if ("fault" in changed) throw failed(id, changed.fault);
  return changed.record;
}

/** Most tags or tickets of one job, because each one is looked up. */
const MAX_LINKS = 1000;
const TagInput = looseObject(() => ({ id: WordId, tags: z.array(z.string()).max(MAX_LINKS) }));

export const manageJobTags = defineCommand({
  name: "manage_job_tags",
  summary: "Replace the tags of a finished job; tags that begin with `_` stay unchanged.",
  access: privilege("tag_jobs"),
  refuses: ["job"],
  input: TagInput,
  output: Done,
  async handler(input, context) {
    const { tx } = context;
    const job = await finishedJob(input, context, "tags");
    const known = await tx.collection(tagRecords).getMany(input.tags);
    const unknown = input.tags.find((tag, index) => !(known[index] || isSystemTag(tag) || job.tags?.includes(tag)));
    if (unknown !== undefined) throw new DomainError("job", "unknown", `Unknown tag: ${unknown}`);
    const tags = replacedTags(job.tags ?? [], input.tags);
    await replace(context, job, { members: { tags }, what: "tags", action: "job_update_tags" });
    return {};
  },
});

const TicketInput = looseObject(() => ({ id: WordId, tickets: z.array(WordId).max(MAX_LINKS) }));

export const manageJobTickets = defineCommand({
  name: "manage_job_tickets",
  summary: "Replace the tickets that a finished job is linked to.",
  access: privilege("edit_tickets"),
  refuses: ["job"],
  input: TicketInput,
  output: Done,
  async handler(input, context) {
    const job = await finishedJob(input, context, "tickets");
    await context.services.references.check(context, jobCollection, input);
    const lists = { stored: job.tickets ?? [], sent: input.tickets };
    const tickets = await context.services.references.replacing(context, "ticket", lists);
    await replace(context, job, { members: { tickets }, what: "tickets", action: "job_update_tickets" });
    return {};
  },
});

/** The stored record. These operations take their two parameters and no others. */
async function finishedJob(
  input: Members & { readonly id: string },
  { actor, tx }: CommandContext,
  what: "tags" | "tickets",
): Promise<FinalJob> {
  if (Object.keys(withoutCredentials(input)).length !== 2)
    throw new DomainError("job", "malformed", "Too many properties in params");
  const { id } = input;
  const active = await tx.collection(activeJobCollection).get(id);
  const job = active?.job ?? (await tx.collection(jobCollection).get(id));
  if (!job) throw notFound(id);
  requireJob(actor, job);
  if (active) throw new DomainError("job", "conflict", `Cannot update ${what} of running job.`);
  return job;
}

async function replace(
  { actor, audit, emit, services, tx }: CommandContext,
  { id }: FinalJob,
  { members, what, action }: { readonly members: Members; readonly what: string; readonly action: string },
): Promise<void> {
  const row = services.jobs.desk.row(`The ${what} of the job were changed by ${nameOf(actor)}`);
  await tx.collection(jobCollection).update(id, (stored): FinalJob => {
    const { activity } = addMeta({ activity: stored.activity ?? [] }, [row]);
    return { ...stored, ...members, activity } as FinalJob;
  });
  audit(action, { ...members, description: id, keywords: [id] });
  emit("job.updated", { id });
}

export const nameOf = ({ kind, id, title }: Actor): string => (kind === "key" ? `API Key: ${title}` : `user: ${id}`);
