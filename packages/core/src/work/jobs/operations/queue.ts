import * as z from "zod";
import { requireAccess } from "../../../directory/access/require-access.ts";
import { userRecords } from "../../../directory/users/records.ts";
import { userKey } from "../../../directory/users/rules/account.ts";
import type { CommandContext } from "../../../kernel/calls/context.ts";
import { credentials, defineCommand, privilege } from "../../../kernel/calls/operation.ts";
import { DomainError } from "../../../kernel/errors/errors.ts";
import { nextTurn } from "../../../lib/turns/gather-more.ts";
import { allOf, hasWord } from "../../../search/ast.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { Id, WordId } from "../../../wire/fields/fields.ts";
import { Done } from "../../../wire/schemas/lists.ts";
import { looseObject, object } from "../../../wire/schemas/objects.ts";
import { overrideTargets } from "../../events/rules/run-request.ts";
import { activeJobCollection } from "../collection.ts";
import { dropWaiting } from "../lifecycle/drop.ts";
import type { Job } from "../model.ts";
import { pruned } from "../rules/filters.ts";
import { requireActive, requireJob } from "./job-access.ts";
import { nameOf } from "./update.ts";

export const flushEventQueue = defineCommand({
  name: "flush_event_queue",
  parameters: "merged",
  summary: "Drop all queued jobs of an event; nothing is left of them.",
  access: privilege("abort_jobs"),
  refuses: ["event"],
  input: looseObject(() => ({ id: Id })),
  output: object(() => ({ count: z.int() })),
  async handler({ id }, { actor, audit, emit, services, tx }) {
    const event = await services.eventRecords.read(tx, id);
    if (!event) throw new DomainError("event", "unknown", `Event not found: ${id}`);
    requireAccess(actor, { category: event.category, targets: event.targets });
    const queued = allOf([hasWord("event", id), hasWord("state", "queued")]);
    const how = { monitor: services.jobs.monitor, reason: "Flushed from queue" };
    const ids: string[] = [];
    for (let found = PAGE; found === PAGE; await nextTurn()) {
      const { rows } = await tx.collection(activeJobCollection).find(queued, { limit: PAGE });
      for (const row of rows) await dropWaiting({ audit, emit, tx }, row, how);
      ids.push(...rows.map(({ id: job }) => job));
      found = rows.length;
    }
    audit("queue_flush", { event, jobs: ids, count: ids.length, keywords: [id, ...ids.slice(0, MAX_KEYWORDS)] });
    return { count: ids.length };
  },
});

/** Jobs dropped in one turn of the loop; a line may hold thousands. */
const PAGE = 25;

/** Most jobs by which the activity row of a flush can be found. */
const MAX_KEYWORDS = 100;

export const jobSkipDelay = defineCommand({
  name: "job_skip_delay",
  summary: "Start a job now that waits for its time or for another attempt.",
  access: privilege("run_jobs"),
  refuses: ["job"],
  input: looseObject(() => ({ id: WordId })),
  output: Done,
  async handler({ id }, { actor, clock, emit, services, tx }) {
    const jobs = tx.collection(activeJobCollection);
    const record = await jobs.get(id);
    if (!record) throw new DomainError("job", "unknown", `Job not found: ${id}`);
    requireJob(actor, record.job);
    const { state } = record.job;
    if (state !== "start_delay" && state !== "retry_delay")
      throw new DomainError("job", "conflict", `Job is not in a delay state: ${id}`);
    const due = { ...record, job: { ...record.job, until: clock.now() } };
    const noted = services.jobs.desk.meta(due, [`The delay was skipped by ${nameOf(actor)}`]);
    await jobs.update(id, () => noted);
    await tx.enqueue("jobs.advance", { id }, { key: id });
    emit("job.updated", { id });
    return {};
  },
});

export const jobToggleNotifyMe = defineCommand({
  name: "job_toggle_notify_me",
  summary: "Switch a mail to the caller at the end of a job on or off.",
  access: credentials,
  refuses: ["job"],
  input: looseObject(() => ({ id: WordId })),
  output: object(() => ({ enabled: z.boolean() })),
  async handler({ id }, { actor, emit, tx }) {
    const jobs = tx.collection(activeJobCollection);
    const record = await jobs.get(id);
    if (!record) throw new DomainError("job", "unknown", `Job not found: ${id}`);
    requireJob(actor, record.job);
    const account = actor.kind === "user" ? await tx.collection(userRecords).get(userKey(actor.id)) : undefined;
    if (!account?.email) throw new DomainError("job", "malformed", "User has no email address set.");
    const { actions, enabled } = toggled(record.job, account.email);
    await jobs.update(id, () => ({ ...record, job: { ...record.job, actions } }));
    emit("job.updated", { id });
    return { enabled };
  },
});

/**
 * Adds, removes or switches a mail action. Results of actions are stored by index, so an unwanted mail is removed only if it is
 * the last action and the final actions have not begun; otherwise it is disabled.
 */
function toggled({ actions: stored, state }: Job, email: string): { actions: Action[]; enabled: boolean } {
  const actions = stored ?? [];
  const index = actions.findIndex((action) => action["hidden"] && action.type === "email" && action["email"] === email);
  const mail: Action = { enabled: true, hidden: true, condition: "complete", type: "email", users: [], email };
  const known = actions[index];
  if (!known) return { actions: [...actions, mail], enabled: true };
  const enabled = !known.enabled;
  const isFree = index === actions.length - 1 && state !== "complete";
  if (!enabled && isFree) return { actions: actions.slice(0, -1), enabled };
  return { actions: actions.with(index, { ...known, enabled }), enabled };
}

export const resumeJob = defineCommand({
  name: "resume_job",
  parameters: "merged",
  summary: "Resume a suspended job, with further parameters if given.",
  access: privilege("run_jobs"),
  refuses: ["job"],
  input: looseObject(() => ({
    id: WordId,
    params: z.record(z.string(), z.unknown()).optional(),
    redirect: WordId.optional(),
  })),
  output: Done,
  async handler({ id, params, redirect }, context) {
    const { actor, audit, emit, services, tx } = context;
    const record = await requireActive(tx, actor, id);
    const hidden = params && overrideTargets(params);
    if (hidden) requireAccess(actor, { targets: hidden });
    const resumption = {
      by: nameOf(actor),
      ...(params ? { params, locked: await lockedFor(context, record.job) } : {}),
      ...(redirect ? { redirect } : {}),
    };
    await services.jobs.suspension.resume({ audit, emit, tx }, record, resumption);
    audit("job_resume", { job: pruned(record.job), description: id, keywords: [id] });
    return {};
  },
});

/** Parameters whose values only administrators may choose (docs/contract/parameters.md#locked-parameters). */
async function lockedFor(
  { actor, services, tx }: CommandContext,
  { event, plugin = "", type }: Job,
): Promise<ReadonlySet<string>> {
  if (actor.privileges["admin"]) return new Set();
  // The job's copy of the fields cannot be used: a caller may have launched it with different ones.
  const { fields = [] } = (type === "adhoc" ? undefined : await services.eventRecords.read(tx, event)) ?? {};
  const definitions = [...fields, ...(await services.eventChecks.pluginParams(tx, plugin))];
  return new Set(definitions.filter(({ locked }) => locked).map(({ id }) => id));
}
