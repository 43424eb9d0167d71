import { stateRecords } from "../../../directory/state/records.ts";
import { nest } from "../../../directory/state/rules.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { eventHistoryRecords, eventStateRecords } from "../../../work/events/records.ts";

/**
 * The global state as one object: for administrators with the states that domains store separately, for others only the master
 * switch of the scheduler (docs/contract/configuration.md#global-state).
 */
export type ShownState = (tx: ReadTx, isAdmin: boolean) => Promise<Record<string, unknown>>;

/** Members of the scheduler's state that are not in the contract and that nobody is shown. */
const HIDDEN: ReadonlySet<string> = new Set(["id", "seen", "replay", "pending"]);

/** States and histories of events, joined by event id. */
function shownStates(parts: readonly { readonly id: string }[]): Record<string, Record<string, unknown>> {
  const shown: Record<string, Record<string, unknown>> = {};
  for (const part of parts) {
    const members = Object.entries(part).filter(([name]) => !HIDDEN.has(name));
    shown[part.id] = { ...shown[part.id], ...Object.fromEntries(members) };
  }
  return shown;
}

/** Row of `event_states` that belongs to the scheduler itself. */
const SCHEDULER_ROW = "*";

export function createShownState({ state, tickets }: Pick<Cradle, "state" | "tickets">): ShownState {
  return async (tx, isAdmin) => {
    const scheduler: readonly [string, unknown] = ["scheduler.enabled", state.get("scheduler.enabled") !== false];
    if (!isAdmin) return nest([scheduler]);
    const entries = (await tx.collection(stateRecords).list()).map(({ id, value }) => [id, value] as const);
    const events = (await tx.collection(eventStateRecords).list()).filter(({ id }) => id !== SCHEDULER_ROW);
    return {
      watches: {},
      next_ticket_num: await tickets.nextNumber(tx),
      ...nest([scheduler, ...entries]),
      events: shownStates([...events, ...(await tx.collection(eventHistoryRecords).list())]),
    };
  };
}
