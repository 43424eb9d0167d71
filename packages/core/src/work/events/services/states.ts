import { updateIfThere } from "../../../kernel/transactions/update-if-there.ts";
import { filterMembers } from "../../../lib/json/filter-members.ts";
import type { ReadTx, WriteTx } from "../../../ports/storage/storage.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "../collection.ts";
import { CURSOR, type Event, type EventHistory, type EventState } from "../model.ts";
import { firstPosition } from "../rules/triggers/first-position.ts";

/** The scheduler's state of each event, written in the same transaction as the change. */
export interface EventStates {
  /** Returns an empty state if none was written. */
  read(tx: ReadTx, id: string): Promise<EventState>;
  write(tx: WriteTx, id: string, change: (state: EventState) => EventState): Promise<void>;
  /** Makes other writers of an event's job history wait until the transaction ends. */
  lockHistory(tx: WriteTx, id: string): Promise<void>;
  readHistory(tx: ReadTx, id: string): Promise<EventHistory>;
  /** Requires the lock that `lockHistory` takes. */
  writeHistory(tx: WriteTx, id: string, change: (history: EventHistory) => EventHistory): Promise<void>;
}

export const createEventStates = (): EventStates => ({ read, write, lockHistory, readHistory, writeHistory });

async function read(tx: ReadTx, id: string): Promise<EventState> {
  return (await tx.collection(eventStateCollection).get(id)) ?? { id };
}

async function write(tx: WriteTx, id: string, change: (state: EventState) => EventState): Promise<void> {
  const states = tx.collection(eventStateCollection);
  if (await updateIfThere(states, id, change)) return;
  // An event that was deleted during a pass must not leave a state to a later event with the same id.
  if (id === CURSOR || (await tx.collection(eventCollection).get(id))) await states.insert(change({ id }));
}

const isCaughtUp = ({ triggers }: Pick<Event, "triggers">): boolean =>
  triggers.some(({ type, enabled }) => type === "catchup" && enabled);

/**
 * Must be called before an event is changed. An event with catch-up that no pass has reached yet is caught up on since the last
 * change of `stored`, or since the last minute that is done for all events; another change must not move that position. An event
 * that gains or loses catch-up starts again: minutes in between have run, or are missed permanently
 * (docs/contract/schedules.md#missed-minutes).
 */
export async function keepPosition(tx: WriteTx, stored: Event, next: Pick<Event, "triggers">): Promise<void> {
  const { id, enabled, modified } = stored;
  const state = await read(tx, id);
  if (isCaughtUp(stored) !== isCaughtUp(next)) {
    if (state.cursor !== undefined) await write(tx, id, withoutCursor);
    return;
  }
  if (!enabled || !isCaughtUp(stored) || state.cursor !== undefined) return;
  const { begun, cursor: evaluated = 0 } = await read(tx, CURSOR);
  const cursor = firstPosition(modified, begun?.since ?? evaluated);
  await write(tx, id, (known) => ({ ...known, cursor }));
}

const withoutCursor = ({ cursor: _past, ...state }: EventState): EventState => state as EventState;

/** Members that are stored in the job history, which the ends of jobs write. */
const OF_JOBS: ReadonlySet<string> = new Set([
  ...["robin", "last_job", "last_code", "last_completed", "total_elapsed", "total_count"],
]);

/** Writes the `update_state` of an event, member by member (docs/contract/events.md#state). */
export async function applyState(tx: WriteTx, id: string, sent: Readonly<Record<string, unknown>>): Promise<void> {
  await write(tx, id, (state) => mergeState(state, sent));
  const ofJobs = filterMembers(sent, (member) => OF_JOBS.has(member));
  if (Object.keys(ofJobs).length === 0) return;
  await lockHistory(tx, id);
  await writeHistory(tx, id, (stored) => ({ ...stored, ...ofJobs }));
}

const lockHistory = async (tx: WriteTx, id: string): Promise<void> => {
  await tx.lock(`jobs:history:${id}`);
};

async function readHistory(tx: ReadTx, id: string): Promise<EventHistory> {
  return (await tx.collection(eventHistoryCollection).get(id)) ?? { id };
}

async function writeHistory(tx: WriteTx, id: string, change: (history: EventHistory) => EventHistory): Promise<void> {
  const histories = tx.collection(eventHistoryCollection);
  if (!(await updateIfThere(histories, id, change))) await histories.insert(change({ id }));
}

/** Members that only the scheduler may set. */
const OWNED: ReadonlySet<string> = new Set(["id", "seen", "replay", "pending", "gaps", "begun"]);

/**
 * Merges the `update_state` of an event: a moved cursor begins a replay, whose runs count as new
 * (docs/contract/schedules.md#missed-minutes).
 */
function mergeState(state: EventState, sent: Readonly<Record<string, unknown>>): EventState {
  const own = Object.entries(sent).filter(([member]) => !OWNED.has(member) && !OF_JOBS.has(member));
  const merged: EventState = { ...state, ...Object.fromEntries(own) };
  if (sent["cursor"] === undefined) return merged;
  const { seen: _seen, ...rest } = merged;
  return { ...rest, id: state.id, replay: (state.replay ?? 0) + 1 };
}
