import {
  type AnyCollection,
  type Clock,
  ConflictError,
  createIds,
  type Logger,
  type ReadTx,
  type Storage,
  systemRandom,
  type WriteTx,
} from "@signalbox/core";
import { adoptedTransaction } from "./adopted.ts";
import { type CollectionQueries, compileCollection } from "./collection-queries.ts";
import { compileCounter } from "./counters.ts";
import type { Outcome, SqlBackend, SqlSession, Work } from "./dialect.ts";
import { openDatabase } from "./open-database.ts";
import { createCompiler } from "./statements.ts";
import { compileTimeline } from "./timeline/queries.ts";
import { bindRead, bindWrite, guard, type Queries, type Requests } from "./transaction.ts";
import { type IndexDifference, verifyIndexes } from "./verify-indexes.ts";
import { compileWork, kyselyWork } from "./work.ts";
import { createWriteScope } from "./write-scope.ts";

export interface SqlStorage extends Storage {
  /** Compares every index entry with a rebuild from the documents, for tests; empty when all is well. */
  verifyIndexes(): Promise<IndexDifference[]>;
}

interface StorageDeps {
  readonly clock: Clock;
  readonly log: Logger;
}

/** The whole storage port over one SQL database; the storage packages supply connections and dialect. */
export function kyselyStorage(backend: SqlBackend, { clock, log }: StorageDeps): SqlStorage {
  const compiled = new Map<string, CollectionQueries>();
  const { queries, runRead, runWrite } = createRunners(backend, compiled, clock);
  const wakers = new Set<() => void>();
  const wakeAll = (): void => notifyAll([...wakers], log);
  const { write, writeAdopted } = createWriters(backend, wakeAll, log);
  const turns = new WeakMap<object, Promise<unknown>>();
  let databaseId = "";
  let closing: Promise<void> | undefined;
  return {
    name: backend.dialect.name,
    coordination: backend.coordination,
    work: kyselyWork(
      queries.work,
      {
        read: backend.read,
        write: (work) => write(async (on) => ({ result: await work(on), requests: noRequests() })),
      },
      wakers,
    ),
    async open(collections) {
      await backend.start(wakeAll);
      databaseId = await backend.exclusive((on) => openDatabase(backend.dialect, on, { collections, log }));
      compileAll(backend, collections, compiled);
      await backend.ready();
    },
    read: (work) => backend.read((on) => runRead(on, work)),
    write: (work) => write((on) => runWrite(on, work, false)),
    adopt: (handle) =>
      adoptedTransaction(
        backend.adopt(handle, () => databaseId),
        turns,
        { read: runRead, write: (on, work) => writeAdopted(() => runWrite(on, work, true)) },
      ),
    verifyIndexes: () =>
      backend.read((on) =>
        verifyIndexes(
          backend.dialect,
          on,
          [...compiled.values()].map((one) => one.definition),
        ),
      ),
    close() {
      closing ??= backend.close();
      return closing;
    },
  };
}

interface Writers {
  write<R>(work: Work<Written<R>>): Promise<R>;
  /** Inside a transaction of the host: nobody learns of its commit, so no listener is called. */
  writeAdopted<R>(work: () => Promise<Written<R>>): Promise<R>;
}

function createWriters(backend: SqlBackend, wakeAll: () => void, log: Logger): Writers {
  const scope = createWriteScope();
  const conflictOr = (error: unknown): never => {
    if (!backend.dialect.isRace(error)) throw error;
    throw new ConflictError("Another transaction was in the way", { cause: error });
  };
  return {
    async write<R>(work: Work<Written<R>>) {
      const bound = scope.bind(async (session: SqlSession): Promise<Outcome<R>> => {
        const { result, requests } = await work(session);
        const listeners = requests.enqueued ? [...requests.listeners, wakeAll] : requests.listeners;
        return { result, committed: () => notifyAll(listeners, log) };
      });
      return backend.write(bound).catch(conflictOr);
    },
    async writeAdopted(work) {
      const { result } = await scope.bind(work)(undefined).catch(conflictOr);
      return result;
    },
  };
}

interface Written<R> {
  readonly result: R;
  readonly requests: Requests;
}

const noRequests = (): Requests => ({ messages: [], listeners: [], enqueued: false });

interface Runners {
  readonly queries: Queries;
  runRead<R>(session: SqlSession, work: (tx: ReadTx) => Promise<R>): Promise<R>;
  runWrite<R>(session: SqlSession, work: (tx: WriteTx) => Promise<R>, adopted: boolean): Promise<Written<R>>;
}

function createRunners(backend: SqlBackend, compiled: ReadonlyMap<string, CollectionQueries>, clock: Clock): Runners {
  const { dialect } = backend;
  const db = createCompiler(dialect);
  const queries: Queries = {
    dialect,
    clock,
    ids: createIds({ clock, random: systemRandom() }),
    timeline: compileTimeline(db, dialect),
    work: compileWork(db, dialect),
    counter: compileCounter(db, dialect),
    collection({ name }) {
      const found = compiled.get(name);
      if (!found) throw new TypeError(`Collection ${name} was not given to open()`);
      return found;
    },
  };
  return {
    queries,
    async runRead(session, work) {
      const guarded = guard(session);
      try {
        return await work(bindRead(queries, guarded.session));
      } finally {
        guarded.end();
      }
    },
    async runWrite(session, work, adopted) {
      const guarded = guard(session);
      const requests = noRequests();
      try {
        const result = await work(bindWrite(queries, guarded.session, requests));
        const { messages, enqueued } = requests;
        if (messages.length > 0 || enqueued) await backend.announce(session, { messages, work: enqueued, adopted });
        return { result, requests };
      } finally {
        guarded.end();
      }
    },
  };
}

function compileAll(
  { dialect }: SqlBackend,
  collections: readonly AnyCollection[],
  compiled: Map<string, CollectionQueries>,
): void {
  const db = createCompiler(dialect);
  for (const definition of collections) compiled.set(definition.name, compileCollection(db, dialect, definition));
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
