import { stateCollection } from "../../../directory/state/collection.ts";
import { nest } from "../../../directory/state/rules.ts";
import type { Cradle } from "../../../kernel/container.ts";
import type { ReadTx } from "../../../ports/storage.ts";
import { eventHistoryCollection, eventStateCollection } from "../../../work/events/collection.ts";
import { NEXT_NUMBER, numberCollection } from "../../tickets/collection.ts";

/**
 * The global state with what domains keep beside it, as one object for administrators; for others the master switch of
 * the scheduler alone (docs/contract/configuration.md#global-state).
 */
export type ShownState = (tx: ReadTx, isAdmin: boolean) => Promise<Record<string, unknown>>;

/** What the scheduler remembers beside the contract's members. */
const HIDDEN: ReadonlySet<string> = new Set(["id", "seen", "replay", "pending"]);

/** States and past of events, joined by their ids. */
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

export function createShownState({ state }: Pick<Cradle, "state">): ShownState {
  return async (tx, isAdmin) => {
    const scheduler: readonly [string, unknown] = ["scheduler.enabled", state.get("scheduler.enabled") !== false];
    if (!isAdmin) return nest([scheduler]);
    const entries = (await tx.collection(stateCollection).list()).map(({ id, value }) => [id, value] as const);
    const events = (await tx.collection(eventStateCollection).list()).filter(({ id }) => id !== SCHEDULER_ROW);
    return {
      watches: {},
      next_ticket_num: (await tx.collection(numberCollection).get(NEXT_NUMBER))?.next ?? 1,
      ...nest([scheduler, ...entries]),
      events: shownStates([...events, ...(await tx.collection(eventHistoryCollection).list())]),
    };
  };
}
