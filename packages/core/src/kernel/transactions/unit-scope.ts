import type { CollectionDefinition, ReadCollection, StoredRecord } from "../../ports/storage/collection.ts";
import type { ReadTx, WriteTx } from "../../ports/storage/storage.ts";
import type { Cause } from "../../wire/cause.ts";
import type { DefinitionChanges, Definitions } from "../definitions/definitions.ts";

/** Facts of a running unit of work that its transaction does not hold. */
export interface UnitScope {
  /** True inside a transaction of the host, whose commit is not seen here. */
  readonly hosted: boolean;
  /** True when other processes write the same storage. */
  readonly shared: boolean;
  readonly changes: DefinitionChanges;
  readonly definitions: Definitions;
  /** Records read from the storage, by collection and id. */
  readonly fresh: Map<string, StoredRecord | undefined>;
  /** Called once the unit is durable and its events are out. */
  readonly listeners: (() => void)[];
  /** Called after the unit was rolled back. */
  readonly undone: (() => void)[];
  /** The cause of its writes: its caller, or the engine. */
  readonly cause: () => Cause;
}

const SCOPE = Symbol("unit scope");

/** A member, since the values of a weak map outlive their keys until the next full collection, with all they hold. */
type Scoped = ReadTx & { [SCOPE]?: UnitScope };

const scopeOf = (tx: Scoped): UnitScope | undefined => tx[SCOPE];

/** Notes which unit a transaction belongs to. */
export function bindScope(tx: WriteTx, scope: UnitScope): void {
  (tx as Scoped)[SCOPE] = scope;
}

/** The cause of the writes in the unit of this transaction; the engine itself without a unit. */
export const causeIn = (tx: ReadTx): Cause => scopeOf(tx)?.cause() ?? { kind: "system", id: "system" };

/**
 * Calls `listener` once the unit is durable and its events are out; never after a rollback. False, and never called,
 * where the commit cannot be seen: in a transaction of the host, or without a unit.
 */
export function whenReleased(tx: WriteTx, listener: () => void): boolean {
  const scope = scopeOf(tx);
  if (!scope || scope.hosted) return false;
  scope.listeners.push(listener);
  return true;
}

/** Calls `listener` after a rollback of the unit, or of an attempt to run it; not of a host's own transaction. */
export function whenTakenBack(tx: WriteTx, listener: () => void): void {
  scopeOf(tx)?.undone.push(listener);
}

/**
 * The same transaction for readers who change nothing: definitions that the unit did not touch come from memory.
 * Changes that other nodes made a moment ago may be missing; `fresh` reads them.
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

/** Looks in the storage for a record that memory does not have: another node may have added it a moment ago. */
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

/** A definition as the storage has it in this unit, also when another node changed it a moment ago; read once. */
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
