import { type Clock, createIds, type Logger, systemRandom } from "@signalbox/core/adapter";
import {
  type AnyCollection,
  type CollectionDefinition,
  type Coordination,
  isStorableId,
  type ReadAtOnce,
  type ReadTx,
  type Storage,
  StorageError,
  type StorageFault,
  type StoredRecord,
  type WorkQueue,
  type WriteTx,
} from "@signalbox/core/storage";
import { type CollectionQueries, compileCollection, MAX_AT_ONCE } from "./collection/collection-queries.ts";
import { isLong, recordOf, textOf } from "./collection/documents.ts";
import type { Outcome, SqlBackend, SqlDialect, SqlResult, SqlSession, Work } from "./dialect.ts";
import { createFaults, type Faults } from "./faults.ts";
import { type AdoptedWork, adoptedTransaction } from "./host/adopted.ts";
import { type IndexDifference, verifyIndexes } from "./indexes/verify-indexes.ts";
import { createCompiler } from "./statements.ts";
import { openDatabase } from "./tables/open-database.ts";
import { compileTimeline } from "./timeline/queries.ts";
import { compileCounters } from "./transaction/counters.ts";
import { bindRead, bindWrite, guard, type Queries, type Requests } from "./transaction/transaction.ts";
import { compileWork, kyselyWork, type WorkQueries, type WorkTransactions } from "./transaction/work.ts";
import { createWriteScope } from "./transaction/write-scope.ts";

export interface SqlStorage extends Storage {
  /** Compares every index entry with one rebuilt from the documents, for tests. Empty = all agree. */
  verifyIndexes(): Promise<IndexDifference[]>;
}

/** Implements the whole storage port over one SQL database. The storage packages supply connections and dialect. */
export function kyselyStorage(backend: SqlBackend, { clock, log }: { clock: Clock; log: Logger }): SqlStorage {
  const definitions = new Map<string, AnyCollection>();
  const faults = createFaults(backend.dialect, log);
  const { queries, runRead, runWrite } = createRunners(backend, definitions, { clock, faults });
  const wakers = new Set<() => void>();
  const wakeAll = (): void => notifyAll([...wakers], log);
  const { write, writeAdopted } = createWriters(backend, wakeAll, { faults, log });
  const read = <R>(work: Work<R>): Promise<R> => backend.read(work).catch(faults.refuse);
  const atOnce = createAtOnce(backend, queries);
  const turns = new WeakMap<object, Promise<unknown>>();
  const adopted: AdoptedWork = {
    ...{ refuse: faults.refuse, translate: faults.translate, read: runRead },
    write: (on, work) => writeAdopted(() => runWrite(on, work, true)),
  };
  let databaseId = "";
  const ownId = (): string => databaseId;
  let closing: Promise<void> | undefined;
  return {
    ...{ name: backend.dialect.name, coordination: coordinationOf(backend, faults) },
    work: createQueue(backend, queries.work, { read, write, faults, isKnownEmpty: atOnce.hasNoWork, wakers }),
    async open(collections) {
      try {
        await backend.start(wakeAll);
        databaseId = await backend.exclusive((on) => openDatabase(backend.dialect, on, { collections, log }));
        for (const definition of collections) definitions.set(definition.name, definition);
        await backend.ready();
      } catch (error) {
        throw startError(faults.translate(error), backend);
      }
    },
    read: (work) => read((on) => runRead(on, work)),
    ...atOnce.known,
    ...createLook(backend, queries, faults),
    write: (work) => write((on) => runWrite(on, work, false)),
    adopt: (handle) => adoptedTransaction(backend.adopt(handle, ownId), turns, adopted),
    verifyIndexes: () => read((on) => verifyIndexes(backend.dialect, on, [...definitions.values()])),
    onFault: faults.subscribe,
    close: () => (closing ??= backend.close()),
  };
}

interface AtOnce {
  /** Answers that the storage can give synchronously. */
  readonly known: Pick<Storage, "isKnownEmpty" | "readAtOnce">;
  /** True = the queue of work is empty at this moment; false = it may hold something. */
  hasNoWork(): boolean;
}

/** Returns undefined when no answer can be given synchronously. */
interface AtOnceSession {
  run(...asked: Parameters<SqlSession["run"]>): SqlResult | undefined;
}

function createAtOnce(backend: SqlBackend, queries: Pick<Queries, "collection" | "work">): AtOnce {
  const session: AtOnceSession = { run: (...asked) => backend.readAtOnce?.(...asked) };
  const isNothing = (result: SqlResult | undefined): boolean => result?.rows.length === 0;
  const known = {
    readAtOnce: createReadAtOnce(session, queries),
    isKnownEmpty: (definition: AnyCollection) => isNothing(queries.collection(definition).some(session)),
  };
  return { known: backend.readAtOnce ? known : {}, hasNoWork: () => isNothing(queries.work.some(session)) };
}

function createLook({ look }: SqlBackend, queries: Queries, { refuse }: Faults): Pick<Storage, "isEmpty"> {
  if (!look) return {};
  return {
    isEmpty: (definition) =>
      look(async (on) => (await queries.collection(definition).some(on)).rows.length === 0).catch(refuse),
  };
}

function createReadAtOnce(session: AtOnceSession, queries: Pick<Queries, "collection">): ReadAtOnce {
  const read = <T extends StoredRecord>(definition: CollectionDefinition<T>, id?: string) => {
    if (id !== undefined && !isStorableId(id)) return [];
    const { get, first } = queries.collection(definition);
    const found = (id === undefined ? first(session) : get(session, { id }))?.rows;
    if (found && found.length > MAX_AT_ONCE) return undefined;
    // A long document is parsed in a turn of its own.
    return found?.some(({ doc }) => isLong(doc)) ? undefined : found?.map((row) => recordOf<T>(row));
  };
  const text: ReadAtOnce["text"] = (definition, id) => {
    const [row] = (isStorableId(id) && queries.collection(definition).get(session, { id })?.rows) || [];
    return row && !isLong(row["doc"]) ? textOf(row) : undefined;
  };
  return Object.assign(read, { text });
}

/** The backend's coordination, with a `takeShare` that fails with the same errors as the rest of a launch. */
function coordinationOf({ coordination }: SqlBackend, { refuse }: Faults): Coordination {
  const { takeShare } = coordination;
  return takeShare ? { ...coordination, takeShare: (share) => takeShare(share).catch(refuse) } : coordination;
}

interface Writers {
  write<R>(work: Work<Written<R>>): Promise<R>;
  /** Writes inside a transaction of the host. Its commit is not visible, so no listener is called. */
  writeAdopted<R>(work: () => Promise<Written<R>>): Promise<R>;
}

/** A fault at the start is logged nowhere else, and the person who starts the engine needs to know where to look. */
function startError(error: unknown, backend: SqlBackend): unknown {
  if (!(error instanceof StorageError)) return error;
  const { fault, cause } = error;
  const { message, code } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
  const place = backend.place?.() ?? "the database";
  const advice = backend.advice?.(fault);
  const told = `The storage cannot be opened: ${place} ${STATES[fault]} (${message || code}).`;
  const description = advice === undefined ? told : `${told} ${advice}`;
  return new StorageError(fault, { description, cause });
}

const STATES: Readonly<Record<StorageFault, string>> = {
  full: "is full",
  "read-only": "is read-only",
  damaged: "is damaged",
  locked: "is locked by another program",
  gone: "cannot be reached",
};

interface WriterDeps {
  readonly faults: Faults;
  readonly log: Logger;
}

function createWriters(backend: SqlBackend, wakeAll: () => void, { faults, log }: WriterDeps): Writers {
  const scope = createWriteScope();
  return {
    async write<R>(work: Work<Written<R>>) {
      const bound = scope.bind(async (session: SqlSession): Promise<Outcome<R>> => {
        const { result, requests } = await work(session);
        const isOurs = requests.enqueued.has(undefined) || requests.enqueued.has(backend.coordination.nodeId);
        const listeners = isOurs ? [...requests.listeners, wakeAll] : requests.listeners;
        return { result, committed: () => notifyAll(listeners, log) };
      });
      return backend.write(bound).catch(faults.refuse);
    },
    async writeAdopted(work) {
      const { result } = await scope.bind(work)(undefined);
      return result;
    },
  };
}

interface Written<R> {
  readonly result: R;
  readonly requests: Requests;
}

interface QueueDeps extends Pick<WorkTransactions, "isKnownEmpty" | "read">, Pick<Writers, "write"> {
  readonly faults: Faults;
  readonly wakers: Set<() => void>;
}

/**
 * Runs the queue's single statements. A server may isolate them more strictly than our transactions, so a statement that lost a
 * race is retried in a transaction.
 */
function createQueue(
  { alone, dialect }: SqlBackend,
  queries: WorkQueries,
  { read, write, faults, isKnownEmpty, wakers }: QueueDeps,
): WorkQueue {
  const writeMany: WorkTransactions["writeMany"] = (work) =>
    write(async (on) => ({ result: await work(on), requests: noRequests() }));
  const single: WorkTransactions["write"] | undefined =
    alone &&
    ((work) => alone(work).catch((error: unknown) => (dialect.isRace(error) ? writeMany(work) : faults.refuse(error))));
  return kyselyWork(queries, { read: single ?? read, write: single ?? writeMany, writeMany, isKnownEmpty }, wakers);
}

const noRequests = (): Requests => ({ messages: [], listeners: [], enqueued: new Set() });

interface Runners {
  readonly queries: Queries;
  runRead<R>(session: SqlSession, work: (tx: ReadTx) => Promise<R>): Promise<R>;
  runWrite<R>(session: SqlSession, work: (tx: WriteTx) => Promise<R>, adopted: boolean): Promise<Written<R>>;
}

type Definitions = ReadonlyMap<string, AnyCollection>;

/**
 * The statements of the timeline, of queued work and of counters. A collection's statements are compiled on first use, because a
 * start does not use all collections.
 */
function compileQueries(dialect: SqlDialect, clock: Clock, definitions: Definitions): Queries {
  const db = createCompiler(dialect);
  const compiled = new Map<string, CollectionQueries>();
  return {
    dialect,
    clock,
    ids: createIds({ clock, random: systemRandom() }),
    timeline: compileTimeline(db, dialect),
    work: compileWork(db, dialect),
    counters: compileCounters(db, dialect),
    collection({ name }) {
      const known = compiled.get(name);
      if (known) return known;
      const definition = definitions.get(name);
      if (!definition) throw new TypeError(`Collection ${name} was not given to open()`);
      const made = compileCollection(db, dialect, definition);
      compiled.set(name, made);
      return made;
    },
  };
}

function createRunners(
  backend: SqlBackend,
  definitions: Definitions,
  { clock, faults }: { clock: Clock; faults: Faults },
): Runners {
  const queries = compileQueries(backend.dialect, clock, definitions);
  return {
    queries,
    async runRead(session, work) {
      const guarded = guard(session, faults.refuse);
      try {
        return await work(bindRead(queries, guarded.session));
      } finally {
        guarded.end();
      }
    },
    async runWrite(session, work, adopted) {
      const guarded = guard(session, faults.refuse);
      const requests = noRequests();
      try {
        const result = await work(bindWrite(queries, guarded.session, requests));
        const { messages, enqueued } = requests;
        if (messages.length === 0 && enqueued.size === 0) return { result, requests };
        const told = await backend.announce(session, { messages, work: enqueued, adopted });
        return { result, requests: told ? { ...requests, listeners: [...requests.listeners, told] } : requests };
      } finally {
        guarded.end();
      }
    },
  };
}

/** A listener that throws harms neither the commit nor the other listeners. */
function notifyAll(listeners: readonly (() => void)[], log: Logger): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (error) {
      log.error({ error }, "A listener failed after a commit");
    }
  }
}
