import type { Cradle } from "../../../kernel/container.ts";
import type { Unit } from "../../../kernel/transactions/unit-of-work.ts";
import { freshDefinition } from "../../../kernel/transactions/unit-scope.ts";
import type { ReadTx } from "../../../ports/storage/storage.ts";
import { eventCollection, eventHistoryCollection, eventStateCollection } from "../collection.ts";
import type { Event, StoredEvent } from "../model.ts";
import { readEvent } from "../rules/record/read.ts";
import { keepPosition } from "./states.ts";

type Told = Readonly<Record<string, unknown>>;

/** Access to stored events for all other domains. */
export interface EventRecords {
  /** The last committed record, from memory. */
  get(id: string): Event | undefined;
  /** All events, from memory. */
  all(): readonly Event[];
  /** The record as a transaction sees it. */
  read(tx: ReadTx, id: string): Promise<Event | undefined>;
  /** Like `read` for several; unknown ids are skipped. */
  readMany(tx: ReadTx, ids: readonly string[]): Promise<Event[]>;
  /** The record in the storage as this unit sees it, even if another node changed it a moment ago. */
  fresh(tx: ReadTx, id: string): Promise<Event | undefined>;
  /** Stores a whole event that was checked before; `told` is added to its row in the activity log. */
  replace(unit: Unit, event: StoredEvent, told?: Told): Promise<void>;
  /** Deletes an event with its state, its history and its assignments of secrets; its jobs stay. */
  remove(unit: Unit, event: StoredEvent, told?: Told): Promise<void>;
}

const readKnown = (stored: StoredEvent | undefined): Event | undefined => stored && readEvent(stored);

export function createEventRecords(deps: Pick<Cradle, "definitions" | "vault">): EventRecords {
  return {
    get: (id) => readKnown(deps.definitions.get(eventCollection, id)),
    all: () => deps.definitions.all(eventCollection).map(readEvent),
    read: async (tx, id) => readKnown(await tx.collection(eventCollection).get(id)),
    readMany: async (tx, ids) =>
      (await tx.collection(eventCollection).getMany(ids)).flatMap((event) => (event ? [readEvent(event)] : [])),
    fresh: async (tx, id) => readKnown(await freshDefinition(tx, eventCollection, id)),
    async replace({ tx, audit, emit }, event, told) {
      const stored = await tx.collection(eventCollection).get(event.id);
      if (stored) await keepPosition(tx, readEvent(stored), readEvent(event));
      await tx.collection(eventCollection).update(event.id, () => event);
      audit("event_update", { event, ...told });
      emit("event.updated", { id: event.id });
    },
    async remove(unit, event, told) {
      const { tx, audit, emit } = unit;
      await tx.collection(eventCollection).delete(event.id);
      await tx.collection(eventStateCollection).delete(event.id);
      await tx.collection(eventHistoryCollection).delete(event.id);
      // A new event with the same id would inherit them.
      await deps.vault.unassign(unit, "events", event.id);
      audit("event_delete", { event, ...told });
      emit("event.deleted", { id: event.id });
    },
  };
}
