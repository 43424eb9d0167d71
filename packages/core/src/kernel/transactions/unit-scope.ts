import type { CollectionDefinition, ReadCollection, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { Cause } from "../../wire/cause.ts";
import type { DefinitionChanges, Definitions } from "../definitions/definitions.ts";

/** State of a running unit of work that its transaction does not hold. */
export interface UnitScope {
  /** True inside a transaction of the host, whose commit we do not see. */
  readonly hosted: boolean;
  /** True when other processes write the same storage. */
  readonly shared: boolean;
  readonly changes: DefinitionChanges;
  readonly definitions: Definitions;
  /** Records read from the storage, by collection and id. */
  readonly fresh: Map<string, StoredRecord | undefined>;
  /** Called once the unit is durable and its events have been published. */
  readonly listeners: (() => void)[];
  /** Called after the unit was rolled back. */
  readonly undone: (() => void)[];
  /** The cause of its writes: its caller, or the engine. */
  readonly cause: () => Cause;
}

const SCOPE = Symbol("unit scope");

/**
 * A property instead of a weak map, whose values outlive their keys until the next full collection, with everything they hold.
 */
type Scoped = ReadTx & { [SCOPE]?: UnitScope };

const scopeOf = (tx: Scoped): UnitScope | undefined => tx[SCOPE];

/** Attaches the unit to its transaction. */
export function bindScope(tx: WriteTx, scope: UnitScope): void {
  (tx as Scoped)[SCOPE] = scope;
}

/** The cause of the writes in the unit of this transaction; without a unit, the engine itself. */
export const causeIn = (tx: ReadTx): Cause => scopeOf(tx)?.cause() ?? { kind: "system", id: "system" };

/**
 * Calls `listener` once the unit is durable and its events have been published; never after a rollback. Returns false, and never
 * calls it, where the commit is not visible: in a transaction of the host, or without a unit.
 */
export function whenReleased(tx: WriteTx, listener: () => void): boolean {
  const scope = scopeOf(tx);
  if (!scope || scope.hosted) return false;
  scope.listeners.push(listener);
  return true;
}

/** Calls `listener` after the unit, or one attempt at it, was rolled back; never for a host's own transaction. */
export function whenTakenBack(tx: WriteTx, listener: () => void): void {
  scopeOf(tx)?.undone.push(listener);
}

/**
 * The same transaction for readers who change nothing: definitions that the unit has not touched come from memory. Changes that
 * other nodes made a moment ago may be missing; `freshDefinition` reads them.
 */
export function definitionsView(tx: ReadTx): ReadTx {
  const scope = scopeOf(tx);
  if (!scope || scope.hosted) return tx;
  const memory = scope.definitions.view(tx);
  return {
    timeline: tx.timeline,
    counted: (name) => tx.counted(name),
    collection: (definition) => {
      if (!definition.resident || scope.changes.has(definition.name)) return tx.collection(definition);
      return scope.shared
        ? completed(memory.collection(definition), tx.collection(definition))
        : memory.collection(definition);
    },
  };
}

/** Looks up records in the storage that memory does not have: another node may have added them a moment ago. */
function completed<T extends StoredRecord>(memory: ReadCollection<T>, stored: ReadCollection<T>): ReadCollection<T> {
  return {
    get: async (id) => (await memory.get(id)) ?? stored.get(id),
    async getMany(ids) {
      const known = await memory.getMany(ids);
      return known.includes(undefined) ? stored.getMany(ids) : known;
    },
    list: () => memory.list(),
    find: (where, page) => memory.find(where, page),
  };
}

/** A definition as stored in this unit, including a change that another node made a moment ago; read at most once. */
export async function freshDefinition<T extends StoredRecord>(
  tx: ReadTx,
  definition: CollectionDefinition<T>,
  id: string,
): Promise<T | undefined> {
  const scope = scopeOf(tx);
  if (!scope?.shared) return definitionsView(tx).collection(definition).get(id);
  if (scope.hosted || scope.changes.has(definition.name)) return tx.collection(definition).get(id);
  const key = `${definition.name} ${id}`;
  if (!scope.fresh.has(key)) scope.fresh.set(key, await tx.collection(definition).get(id));
  return scope.fresh.get(key) as T | undefined;
}
