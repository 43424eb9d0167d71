import type { Cradle } from "../../../kernel/container.ts";
import { SignalboxError } from "../../../kernel/errors/errors.ts";
import type { WriteTx } from "../../../ports/storage/storage.ts";
import type { InternalJobRow } from "../model.ts";
import { messageOf, type Outcome } from "../rules.ts";

export interface Ending {
  readonly outcome: Outcome;
  /** The reason of a failure. */
  readonly fault?: string;
}

type Deps = Pick<Cradle, "events" | "log" | "outbox" | "transact">;

/** The reason of a failure, in words for people. Internal errors are in the engine's log under the job's id. */
export const faultOf = (error: unknown, id: string): string =>
  error instanceof SignalboxError ? error.description : `Internal error (${id})`;

/** Writes the activity row, the report and the notification. Never rejects, because the work is over even if this fails. */
export async function tellEnd(
  deps: Deps,
  row: InternalJobRow,
  ending: Ending & { readonly elapsed: number },
): Promise<void> {
  const { id, title, username, quiet } = row;
  const { outcome, fault, elapsed } = ending;
  const message = messageOf(row, outcome, fault);
  const job = { ...row, elapsed, outcome, ...(fault === undefined ? {} : { error: fault }) };
  try {
    await deps.transact(async ({ tx, audit, emit }) => {
      audit("internal_job", { description: message, keywords: [id], account: username, job });
      await postReport(deps, tx, { row, message });
      emit("internal_job.ended", { id, title, username, message, outcome, quiet });
    });
  } catch (error) {
    deps.log.error({ job: id, title, error }, "The end of an internal job could not be stored");
  }
}

async function postReport(
  { log, outbox }: Deps,
  tx: WriteTx,
  { row, message }: { readonly row: InternalJobRow; readonly message: string },
): Promise<void> {
  const { id, title, email, details } = row;
  if (!email || !details) return;
  try {
    await outbox.postReport(tx, { to: email, title, text: `${message}\n\n${details}`, key: `internal-job ${id}` });
  } catch (error) {
    log.warn({ job: id, title, error }, "The report of an internal job could not be mailed");
  }
}
