import * as z from "zod";
import type { KeyedCradle } from "../../../kernel/container.ts";
import type { WorkHandler } from "../../../kernel/plugins/plugin.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { updateIfThere } from "../../../kernel/transactions/update-if-there.ts";
import { isText } from "../../../lib/text/text-of.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { object } from "../../../wire/schemas/objects.ts";
import { jobCollection } from "../collection.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import type { Job } from "../model.ts";
import { hookDataOf } from "./hook-context.ts";

/** A job that is suspended by the action at this index of its list; `key` identifies the run of the action. */
const Item = object(() => ({ id: z.string(), place: z.number(), key: z.string() }));
type Item = z.infer<typeof Item>;

/**
 * Notifies people of a suspended job, separately from its phase: a mail server that does not answer must delay neither the job
 * nor the person who resumes it.
 */
export interface SuspensionNotices {
  /** Queues the notices in the transaction that suspends the job, so that they survive the end of this process. */
  queue(unit: Pick<Unit, "tx">, holder: Action | undefined, item: Item): Promise<void>;
  /** Worker of "jobs.suspension_notices": sends the notices, and stores their outcome in the action. */
  readonly worker: WorkHandler;
}

export type SuspensionNoticesDeps = Pick<
  KeyedCradle,
  | ("actionRunner" | "clock" | "config" | "definitions" | "eventRecords" | "expressions" | "nodes" | "secretKey")
  | ("servers" | "snapshot" | "transact")
>;

const SUSPENSION_NOTICES = "jobs.suspension_notices";

export function createSuspensionNotices(deps: SuspensionNoticesDeps, desk: JobDesk): SuspensionNotices {
  return {
    async queue({ tx }, holder, item) {
      if (holder && noticesOf(holder).length > 0) await tx.enqueue(SUSPENSION_NOTICES, item, { key: item.key });
    },
    async worker({ payload }, _cradle, signal) {
      const { id, place, key } = Item.parse(payload);
      const record = await desk.read(id);
      const holder = record?.job.actions?.[place];
      // Notices are pointless once the job has been resumed.
      if (!record?.job.suspended || !holder?.["active"]) return;
      const results = await deps.actionRunner.run({
        side: "job",
        actions: noticesOf(holder),
        data: await hookDataOf(deps, record),
        reach: record.reach,
        signal,
        key: `${key}/notice`,
      });
      const told = results.map(
        (result) => `### ${result.type}\n\n${String(result["details"] || result["description"])}`,
      );
      await note(deps, desk, { id, place, text: told.join("\n\n") });
    },
  };
}

/** Stores the outcome of the notices; in the final record, if the job has ended meanwhile. */
async function note(
  { transact }: SuspensionNoticesDeps,
  desk: JobDesk,
  { id, place, text }: { readonly id: string; readonly place: number; readonly text: string },
): Promise<void> {
  let isActive = false;
  await desk.change(id, (unit, record) => {
    isActive = true;
    unit.emit("job.updated", { id });
    return { ...record, job: withNote(record.job, place, text) };
  });
  if (isActive) return;
  await transact(async (unit) => {
    const final = await updateIfThere(unit.tx.collection(jobCollection), id, (job) => withNote(job, place, text));
    if (final) unit.emit("job.updated", { id });
  });
}

function withNote<T extends Job>(job: T, place: number, text: string): T {
  const actions = job.actions ?? [];
  const holder = actions[place];
  if (holder?.type !== "suspend") return job;
  const details = [text, holder["details"]].filter(Boolean).join("\n\n");
  return { ...job, actions: actions.with(place, { ...holder, details }) };
}

/** Converts the mail and the web hook of a suspension to actions, so that they run and fail like others. */
function noticesOf({ users, email, web_hook, text }: Action): Action[] {
  const shared = { enabled: true, condition: "suspend", template: "job_suspended" };
  const hasPeople = isText(email) || (Array.isArray(users) && users.length > 0);
  return [
    ...(hasPeople ? [{ ...shared, type: "email", users: users ?? [], email: email ?? "" }] : []),
    ...(isText(web_hook) ? [{ ...shared, type: "web_hook", web_hook, text: text ?? "" }] : []),
  ];
}
