import type { TransferDeps } from "./deps.ts";

const SWITCH = "scheduler.enabled";

/** Switches the scheduler off. It stays off until somebody switches it on: what was taken in may not run by itself. */
export const pauseScheduler = ({ state, transact }: Pick<TransferDeps, "state" | "transact">): Promise<void> =>
  transact(async ({ tx, audit }) => {
    await tx.lock("global_state");
    if ((await state.read(tx, SWITCH)) === false) return;
    await state.set(tx, SWITCH, false);
    audit("state_update", { description: SWITCH, state: { scheduler: { enabled: false } }, keywords: [] });
  });

/** The sentence for reports. */
export const SCHEDULER_NOTE =
  "**The scheduler is switched off** and stays off until you switch it on (global state, `scheduler.enabled`).";
