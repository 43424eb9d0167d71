import type { KeyedCradle } from "../../../kernel/container.ts";
import type { ActionRun } from "../../../kernel/plugins/action-type.ts";
import { updateIfThere } from "../../../kernel/transactions/update-if-there.ts";
import { isText } from "../../../lib/text/text-of.ts";
import { createKeyedTurns } from "../../../lib/turns/turns.ts";
import type { Action } from "../../../wire/entries/actions-and-limits.ts";
import { jobCollection } from "../collection.ts";
import type { JobDesk } from "../lifecycle/job-desk.ts";
import { timeLimit } from "../limits/time-limit.ts";
import type { ActiveJob, Job } from "../model.ts";
import { hookDataOf } from "./hook-context.ts";

/** A job that is held, by the action at this place in its list. */
interface Held {
  readonly record: ActiveJob;
  readonly place: number;
  readonly run: ActionRun;
}

/**
 * Tells the people of a suspended job beside its phase: a mail server that does not answer must hold up neither the
 * person who lets the job go on nor the job.
 */
export interface SuspensionNotices {
  tell(held: Held): void;
  /** Waits for a moment until people are told; the signal of the stop cuts off what still runs. */
  stop(): Promise<void>;
}

interface Tools {
  readonly desk: JobDesk;
  readonly stopping: AbortSignal;
}

export type SuspensionNoticesDeps = Pick<
  KeyedCradle,
  | ("actionRunner" | "clock" | "config" | "definitions" | "eventRecords" | "expressions" | "log" | "secretKey")
  | ("servers" | "storage" | "transact")
>;

const STOP_MS = 5000;

export function createSuspensionNotices(deps: SuspensionNoticesDeps, tools: Tools): SuspensionNotices {
  const turns = createKeyedTurns();
  return {
    tell(held) {
      const { id } = held.record;
      turns
        .run(id, () => tellAll(deps, tools, held))
        .catch((error: unknown) => {
          if (!tools.stopping.aborted)
            deps.log.error({ job: id, error }, "It could not be noted who was told of a suspended job");
        });
    },
    async stop() {
      using limit = timeLimit(deps.clock, STOP_MS);
      await Promise.race([turns.idle(), limit.expired]);
    },
  };
}

async function tellAll(deps: SuspensionNoticesDeps, { desk, stopping }: Tools, held: Held): Promise<void> {
  const { record, run } = held;
  const actions = noticesOf(run.action);
  if (actions.length === 0) return;
  const results = await deps.actionRunner.run({
    ...{ side: "job", actions, data: hookDataOf(deps, record), reach: record.reach, signal: stopping },
    key: `${run.idempotencyKey}/notice`,
  });
  const told = results.map((result) => `### ${result.type}\n\n${String(result["details"] || result["description"])}`);
  await note(deps, desk, { ...held, text: told.join("\n\n") });
}

/** The job may be over by now: its final record then has what became of the notices. */
async function note(
  { transact }: SuspensionNoticesDeps,
  desk: JobDesk,
  { record: { id }, place, text }: Held & { readonly text: string },
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
  const { actions = [] } = job;
  const holder = actions[place];
  if (holder?.type !== "suspend") return job;
  const details = [text, holder["details"]].filter(Boolean).join("\n\n");
  return { ...job, actions: actions.with(place, { ...holder, details }) };
}

/** Mail and web hook of a suspension, as actions, so that both run and fail alike. */
function noticesOf({ users, email, web_hook, text }: ActionRun["action"]): Action[] {
  const shared = { enabled: true, condition: "suspend", template: "job_suspended" };
  const hasPeople = isText(email) || (Array.isArray(users) && users.length > 0);
  return [
    ...(hasPeople ? [{ ...shared, type: "email", users: users ?? [], email: email ?? "" }] : []),
    ...(isText(web_hook) ? [{ ...shared, type: "web_hook", web_hook, text: text ?? "" }] : []),
  ];
}
