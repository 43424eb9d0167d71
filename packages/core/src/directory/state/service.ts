import { NEXT_NUMBER, numberCollection } from "../../desk/tickets/collection.ts";
import type { Cradle } from "../../kernel/container.ts";
import type { ReadTx, WriteTx } from "../../ports/storage.ts";
import { eventStateCollection } from "../../work/events/collection.ts";
import { eventHistoryCollection } from "../../work/jobs/collection.ts";
import { stateCollection } from "./collection.ts";
import { nest } from "./rules.ts";

/**
 * Small values of the whole installation by dotted key: `watches.servers.<id>`, `alert_snooze`
 * (docs/contract/configuration.md#global-state).
 */
export interface GlobalState {
  /** From memory; other nodes' changes arrive by message. */
  get(key: string): unknown;
  /** All values below a prefix, keyed by the rest of the key: `below("watches.servers")`. */
  below(prefix: string): ReadonlyMap<string, unknown>;
  read(tx: ReadTx, key: string): Promise<unknown>;
  /** `undefined` deletes the key. */
  set(tx: WriteTx, key: string, value: unknown): Promise<void>;
  /** All of it as one object for administrators; for others the master switch of the scheduler alone. */
  shown(tx: ReadTx, isAdmin: boolean): Promise<Record<string, unknown>>;
}

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

export function createGlobalState({ definitions }: Pick<Cradle, "definitions">): GlobalState {
  // Asked for every server and minute: the keys are sorted out once per change.
  const byPrefix = new Map<string, ReadonlyMap<string, unknown>>();
  let seen = -1;

  function select(prefix: string): ReadonlyMap<string, unknown> {
    const start = `${prefix}.`;
    const found = new Map<string, unknown>();
    for (const { id, value } of definitions.all(stateCollection))
      if (id.startsWith(start)) found.set(id.slice(start.length), value);
    return found;
  }

  return {
    get: (key) => definitions.get(stateCollection, key)?.value,
    below(prefix) {
      const revision = definitions.revision(stateCollection);
      if (revision !== seen) byPrefix.clear();
      seen = revision;
      const values = byPrefix.get(prefix) ?? select(prefix);
      byPrefix.set(prefix, values);
      return values;
    },
    async shown(tx, isAdmin) {
      const isEnabled = definitions.get(stateCollection, "scheduler.enabled")?.value !== false;
      const scheduler: readonly [string, unknown] = ["scheduler.enabled", isEnabled];
      if (!isAdmin) return nest([scheduler]);
      const entries = (await tx.collection(stateCollection).list()).map(({ id, value }) => [id, value] as const);
      const events = (await tx.collection(eventStateCollection).list()).filter(({ id }) => id !== SCHEDULER_ROW);
      return {
        watches: {},
        next_ticket_num: (await tx.collection(numberCollection).get(NEXT_NUMBER))?.next ?? 1,
        ...nest([scheduler, ...entries]),
        events: shownStates([...events, ...(await tx.collection(eventHistoryCollection).list())]),
      };
    },
    read: async (tx, key) => (await tx.collection(stateCollection).get(key))?.value,
    async set(tx, key, value) {
      const entries = tx.collection(stateCollection);
      if (value === undefined) await entries.delete(key);
      else if (await entries.get(key)) await entries.update(key, () => ({ id: key, value }));
      else await entries.insert({ id: key, value });
    },
  };
}
