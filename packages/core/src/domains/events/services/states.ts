import type { ReadTx, WriteTx } from "../../../ports/storage.ts";
import { eventStateCollection } from "../collection.ts";
import type { EventState } from "../model.ts";

/** What the scheduler remembers per event, in the transaction of the change. */
export async function readState(tx: ReadTx, id: string): Promise<EventState> {
  return (await tx.collection(eventStateCollection).get(id)) ?? { id };
}

export async function writeState(tx: WriteTx, id: string, change: (state: EventState) => EventState): Promise<void> {
  const states = tx.collection(eventStateCollection);
  if (await states.get(id)) await states.update(id, change);
  else await states.insert(change({ id }));
}

/** Members that only the scheduler may set. */
const OWNED: ReadonlySet<string> = new Set(["id", "seen", "replay"]);

/** `update_state` of an event: a moved cursor begins a replay, whose runs are new ones (part 30 §5.2). */
export function mergeState(state: EventState, sent: Readonly<Record<string, unknown>>): EventState {
  const own = Object.entries(sent).filter(([member]) => !OWNED.has(member));
  const merged: EventState = { ...state, ...Object.fromEntries(own) };
  if (sent["cursor"] === undefined) return merged;
  const { seen: _seen, ...rest } = merged;
  return { ...rest, id: state.id, replay: (state.replay ?? 0) + 1 };
}
