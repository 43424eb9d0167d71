import type { InternalJob } from "../../internal-jobs/model.ts";
import type { TransferDeps } from "./deps.ts";

const SWITCH = "scheduler.enabled";

/**
 * Switches the scheduler off. It stays off until a person switches it on, because imported events must not start to run by
 * themselves.
 */
export const pauseScheduler = ({ state, transact }: Pick<TransferDeps, "state" | "transact">): Promise<void> =>
  transact(async ({ tx, audit }) => {
    await tx.lock("global_state");
    if ((await state.read(tx, SWITCH)) === false) return;
    await state.set(tx, SWITCH, false);
    audit("state_update", { description: SWITCH, state: { scheduler: { enabled: false } }, keywords: [] });
  });

/** The sentence about it in reports. */
export const SCHEDULER_NOTE =
  "**The scheduler is switched off** and stays off until you switch it on (global state, `scheduler.enabled`).";

export interface StandStill {
  /** Description of the aborted jobs. */
  readonly reason: string;
  /** True = running jobs are not aborted. */
  readonly danger?: boolean;
}

/** Stops the scheduler and the jobs before work on the whole installation. Returns sentences for the report. */
export async function standStill(
  deps: TransferDeps,
  { reason, danger = false }: StandStill,
  { signal }: Pick<InternalJob, "signal">,
): Promise<readonly string[]> {
  await pauseScheduler(deps);
  if (danger) return [SCHEDULER_NOTE, "Jobs were left running, as requested."];
  const { flushed, aborted, left } = await deps.jobs.stopAll(reason, signal);
  const rest = left > 0 ? ` ${left} had not ended when the work began.` : "";
  if (flushed + aborted === 0) return [SCHEDULER_NOTE];
  return [SCHEDULER_NOTE, `Jobs: ${flushed} dropped from their lines, ${aborted} aborted.${rest}`];
}
