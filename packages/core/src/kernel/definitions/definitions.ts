import { isDeepStrictEqual } from "node:util";
import { isLargeRecord } from "../../lib/json/json-size.ts";
import { freezeKept } from "../../lib/text/kept-text.ts";
import type { Awaitable } from "../../lib/turns/awaitable.ts";
import { settleAll } from "../../lib/turns/settle-all.ts";
import { createTurns } from "../../lib/turns/turns.ts";
import type {
  AnyCollection,
  Collection,
  CollectionDefinition,
  ReadCollection,
  StoredRecord,
} from "../../ports/storage/collection.ts";
import type { ReadTx, Storage, WriteTx } from "../../ports/storage/storage.ts";
import type { ReadTimeline } from "../../ports/storage/timeline.ts";
import { InputError } from "../errors/errors.ts";

/** Resident records that a transaction wrote, by collection and id. */
export type DefinitionChanges = Map<string, Map<string, StoredRecord | undefined>>;

type ChangedIds = Readonly<Record<string, readonly string[]>>;

/** Reads resident definitions for a query: from memory, synchronously; inside a transaction of the host, as that sees them. */
export interface DefinitionReader {
  all<T extends StoredRecord>(definition: CollectionDefinition<T>): Awaitable<readonly T[]>;
  get<T extends StoredRecord>(definition: CollectionDefinition<T>, id: string): Awaitable<T | undefined>;
  /** Looks up an id that `get` does not know: another node may have created the record a moment ago. */
  newest<T extends StoredRecord>(definition: CollectionDefinition<T>, id: string): Awaitable<T | undefined>;
}

/**
 * The in-memory copy of all resident collections. Its records are frozen and shared, so handlers build new objects. `revision`
 * grows with every change, so that code compiled from a definition knows when it is stale.
 */
export interface Definitions extends DefinitionReader {
  all<T extends StoredRecord>(definition: CollectionDefinition<T>): readonly T[];
  get<T extends StoredRecord>(definition: CollectionDefinition<T>, id: string): T | undefined;
  revision(definition: AnyCollection): number;
  /** Reads everything; returns the ids of records that differed in memory, by collection. */
  load(collections: readonly AnyCollection[]): Promise<ChangedIds>;
  /** Applies committed changes; only for storages that no other process writes. */
  apply(changes: DefinitionChanges): void;
  /**
   * Rereads the named records. Refreshes run one after another, so that an older read never overwrites a newer one; those that
   * wait for a running refresh share one read.
   */
  refresh(collection: string, ids: readonly string[]): Promise<void>;
  /** Marks changes for `catchUp` whose commit is uncertain because its answer was lost. */
  doubt(changes: DefinitionChanges): void;
  /** Rereads definitions whose read failed before, or whose commit is uncertain; returns the ids by collection, or rejects. */
  catchUp(): Promise<ChangedIds>;
  /** Answers queries of resident collections from memory, everything else from the snapshot. */
  view(tx: ReadTx): ReadTx;
}

interface Resident {
  readonly definition: AnyCollection;
  readonly records: Map<string, StoredRecord>;
  list: readonly StoredRecord[] | undefined;
  revision: number;
  /** Ids that `apply` has changed during the current read. */
  applied?: Set<string> | undefined;
}
type Residents = Map<string, Resident>;

export function createDefinitions({ storage }: { storage: Storage }): Definitions {
  const residents: Residents = new Map();
  /** Refreshes that have not started, by collection. */
  const waiting = new Map<string, { readonly ids: Set<string>; readonly done: Promise<void> }>();
  const reading = createTurns();
  const missed = createMissed();
  const load: Definitions["load"] = (collections) =>
    reading.run(() =>
      readAll(storage, collections, residents).catch((error: unknown) => missed.noteAll(collections, error)),
    );
  const refresh: Definitions["refresh"] = (collection, ids) => {
    const queued = waiting.get(collection);
    if (queued) {
      for (const id of ids) queued.ids.add(id);
      return queued.done;
    }
    const wanted = new Set(ids);
    const done = reading.run(() => {
      waiting.delete(collection);
      return reread(storage, residents.get(collection), [...wanted]).catch((error: unknown) =>
        missed.note(collection, wanted, error),
      );
    });
    waiting.set(collection, { ids: wanted, done });
    return done;
  };
  const get: Definitions["get"] = (definition, id) => residentOf(residents, definition).records.get(id) as never;
  return {
    all: (definition) => listOf(residentOf(residents, definition)),
    newest: (definition, id) =>
      storage.coordination.shared ? refresh(definition.name, [id]).then(() => get(definition, id)) : undefined,
    revision: (definition) => residentOf(residents, definition).revision,
    ...{ get, load, refresh, doubt: missed.doubt, catchUp: () => missed.readWith({ load, refresh }) },
    apply: (changes) => applyAll(residents, changes),
    view: (tx) => new View(tx, residents),
  };
}

function applyAll(residents: Residents, changes: DefinitionChanges): void {
  for (const [collection, records] of changes) {
    const resident = residents.get(collection);
    if (resident) for (const [id, record] of records) put(resident, id, record).applied?.add(id);
  }
}

/** Remembers definitions that could not be read, because a change is announced only once. */
function createMissed() {
  let all: readonly AnyCollection[] | undefined;
  const some = new Map<string, Set<string>>();
  const add = (collection: string, ids: Iterable<string>): void =>
    void some.set(collection, new Set([...(some.get(collection) ?? []), ...ids]));
  return {
    doubt(changes: DefinitionChanges): void {
      for (const [collection, records] of changes) add(collection, records.keys());
    },
    noteAll(collections: readonly AnyCollection[], error: unknown): never {
      all = collections;
      throw error;
    },
    note(collection: string, ids: ReadonlySet<string>, error: unknown): never {
      add(collection, ids);
      throw error;
    },
    async readWith({ load, refresh }: Pick<Definitions, "load" | "refresh">): Promise<ChangedIds> {
      const [collections, changes] = [all, [...some].map(([name, ids]) => [name, [...ids]] as const)];
      all = undefined;
      some.clear();
      // The full load covers the single changes as well.
      if (collections) return load(collections);
      await settleAll(changes.map(([name, ids]) => refresh(name, ids)));
      return Object.fromEntries(changes);
    },
  };
}

function residentOf(residents: Residents, definition: AnyCollection): Resident {
  const resident = residents.get(definition.name);
  if (!resident) throw new Error(`Collection ${definition.name} is not resident or not loaded`);
  return resident;
}

function listOf<T extends StoredRecord>(resident: Resident): readonly T[] {
  resident.list ??= [...resident.records.values()];
  return resident.list as readonly T[];
}

function put(resident: Resident, id: string, record: StoredRecord | undefined): Resident {
  if (record) resident.records.set(id, freezeKept(record));
  else resident.records.delete(id);
  resident.list = undefined;
  resident.revision += 1;
  return resident;
}

/** One snapshot for all collections: on a database server, each separate one would take a connection and three statements. */
async function readAll(
  storage: Storage,
  collections: readonly AnyCollection[],
  residents: Residents,
): Promise<ChangedIds> {
  const definitions = collections.filter(({ resident }) => resident);
  const lists = await storage.read((tx) =>
    Promise.all(definitions.map((definition): Promise<StoredRecord[]> => tx.collection(definition).list())),
  );
  const changed: Record<string, readonly string[]> = {};
  for (const [index, definition] of definitions.entries()) {
    const entries = lists[index]?.map((record): [string, StoredRecord] => [record.id, freezeKept(record)]);
    const [before, records] = [residents.get(definition.name), new Map(entries)];
    const ids = before ? differing(before.records, records) : [];
    if (ids.length > 0) changed[definition.name] = ids;
    residents.set(definition.name, { definition, records, list: undefined, revision: (before?.revision ?? 0) + 1 });
  }
  return changed;
}

const differing = (before: Resident["records"], now: Resident["records"]): string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((id) => !isDeepStrictEqual(before.get(id), now.get(id)));

async function reread(storage: Storage, resident: Resident | undefined, ids: readonly string[]): Promise<void> {
  if (!resident) return;
  const { definition } = resident;
  for (let left = ids; left.length > 0; ) {
    const applied = new Set<string>();
    resident.applied = applied;
    try {
      const found: (StoredRecord | undefined)[] = await storage.read((tx) => tx.collection(definition).getMany(left));
      for (const [index, id] of left.entries()) if (!applied.has(id)) put(resident, id, found[index]);
    } finally {
      resident.applied = undefined;
    }
    // The read may or may not have seen a change that was applied meanwhile, so those ids are read again.
    left = left.filter((id) => applied.has(id));
  }
}

/** The definitions as a transaction sees them. */
export const definitionsIn = (tx: ReadTx): DefinitionReader => ({
  all: (definition) => tx.collection(definition).list(),
  get: (definition, id) => tx.collection(definition).get(id),
  newest: () => undefined,
});

class View implements ReadTx {
  readonly #tx: ReadTx;
  readonly #residents: Residents;

  constructor(tx: ReadTx, residents: Residents) {
    this.#tx = tx;
    this.#residents = residents;
  }

  get timeline(): ReadTimeline {
    return this.#tx.timeline;
  }

  counted(name: string): Promise<number> {
    return this.#tx.counted(name);
  }

  /** An own property, because work may destructure it from the transaction. */
  readonly collection = <T extends StoredRecord>(definition: CollectionDefinition<T>): ReadCollection<T> => {
    const resident = this.#residents.get(definition.name);
    if (!resident) return this.#tx.collection(definition);
    const records = resident.records as Map<string, T>;
    return {
      get: async (id) => records.get(id),
      getMany: async (ids) => ids.map((id) => records.get(id)),
      list: async () => listOf<T>(resident).slice(),
      find: (where, page) => this.#tx.collection(definition).find(where, page),
    };
  };
}

/** Wraps a transaction: records its writes to resident collections and refuses records that are too large. */
export function trackDefinitions(tx: WriteTx, changes: DefinitionChanges, maxRecordSize: number): WriteTx {
  return {
    ...tx,
    timeline: tx.timeline,
    collection: (definition) =>
      definition.resident
        ? noting(tx.collection(definition), { definition, changes, maxRecordSize })
        : tx.collection(definition),
  };
}

interface Notes<T extends StoredRecord> {
  readonly definition: CollectionDefinition<T>;
  readonly changes: DefinitionChanges;
  readonly maxRecordSize: number;
}

/** See docs/contract/records.md#unknown-members. */
function checkSize<T>(record: T, limit: number): T {
  if (isLargeRecord(record, limit)) throw new InputError("Record is too large.");
  return record;
}

function noting<T extends StoredRecord>(
  inner: Collection<T>,
  { definition, changes, maxRecordSize }: Notes<T>,
): Collection<T> {
  const note = (id: string, record: T | undefined): void => {
    const records = changes.get(definition.name) ?? new Map<string, StoredRecord | undefined>();
    changes.set(definition.name, records.set(id, record));
  };
  return {
    get: (id) => inner.get(id),
    getMany: (ids) => inner.getMany(ids),
    list: () => inner.list(),
    find: (where, page) => inner.find(where, page),
    async insert(record) {
      await inner.insert(checkSize(record, maxRecordSize));
      note(record.id, record);
    },
    async insertMany(records) {
      await inner.insertMany(records.map((record) => checkSize(record, maxRecordSize)));
      for (const record of records) note(record.id, record);
    },
    async update(id, change) {
      const record = await inner.update(id, (current) => checkSize(change(current), maxRecordSize));
      note(id, record);
      return record;
    },
    async delete(id) {
      const gone = await inner.delete(id);
      if (gone) note(id, undefined);
      return gone;
    },
    async deleteMany(ids) {
      await inner.deleteMany(ids);
      for (const id of ids) note(id, undefined);
    },
  };
}
