import { AsyncLocalStorage } from "node:async_hooks";
import type { Outcome, SqlBackend, SqlResult, SqlSession, Work } from "@signalbox/adapters/kysely";
import type { Clock, Logger } from "@signalbox/core/adapter";
import type { Coordination, StorageFault } from "@signalbox/core/storage";
import { sqliteDialect } from "./dialect.ts";
import { adoptHandle } from "./file/adopt.ts";
import { refuseFormerLog } from "./file/former-log.ts";
import { type SqliteHandle, sessionOf } from "./file/handle.ts";
import { type Ownership, RENEW_MS, takeOwnership } from "./file/owner.ts";
import { hostIsBusy, whenFree } from "./queues/busy.ts";
import { type Checkpoints, createCheckpoints } from "./queues/checkpoints.ts";
import { createEmptyLists, type EmptyLists } from "./queues/empty-lists.ts";
import { createReadQueue, type ReadQueue } from "./queues/read-queue.ts";
import { nextTurn } from "./queues/turns.ts";
import { createWriteQueue, type WriteQueue } from "./queues/write-queue.ts";

const SLICE_MS = 10;

export interface SqliteConnections {
  readonly writer: SqliteHandle;
  /** Absent when reads share the writer: in memory there is no second connection. */
  readonly reader?: SqliteHandle;
  /** The host's own object, when the writer is the host's connection. */
  readonly shared?: object;
}

interface BackendDeps {
  /** Opens the connections; called once, by `start`. */
  readonly connect: () => SqliteConnections;
  /** The database, as messages name it. */
  readonly place: string;
  /** See `SqlBackend`. */
  readonly advice?: (fault: StorageFault) => string | undefined;
  readonly durability: Durability;
  /** Bytes of the file that the connections may cache. */
  readonly memory: number;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Running extends SqliteConnections {
  readonly writes: WriteQueue;
  readonly reads: Pick<ReadQueue, "read" | "idle">;
  readonly ownership: Ownership | undefined;
  readonly checkpoints: Checkpoints | undefined;
  readonly emptyLists: EmptyLists;
}

/**
 * Milliseconds until the next multiple of the period, when the engine wakes the process anyway: an idle process mostly pays for
 * wake-ups.
 */
const untilRenewal = (now: number): number => Math.ceil(RENEW_MS - ((now * 1000) % RENEW_MS));

/** Renews the claim on the database. */
async function renewClaim({ ownership, writes }: Running, log: BackendDeps["log"]): Promise<void> {
  const renew = async (): Promise<Outcome<void>> => ({ result: ownership?.renew(), committed: () => undefined });
  await writes
    .write(renew)
    .catch((error: unknown) => log.error({ error }, "The claim on the database could not be renewed"));
}

function exclusively<R>(
  { writer, shared }: Running,
  durability: BackendDeps["durability"],
  work: (session: SqlSession) => Promise<R>,
): Promise<R> {
  // On a handle of the host nothing may come between our statements: it would join our transaction.
  const session = shared ? sessionOf(writer) : inSlices(sessionOf(writer));
  // Every step may be repeated, so a host that is busy with the same file only causes a delay.
  return whenFree(async () => {
    if (writer.isTransaction()) throw hostIsBusy();
    return shared ? work(session) : withoutFlushes(writer, durability, () => work(session));
  });
}

export function sqliteBackend(deps: BackendDeps): SqlBackend {
  let running: Running | undefined;
  let renewal: Disposable | undefined;
  const open = (): Running => {
    if (!running) throw new Error("The storage is not open");
    return running;
  };
  const scheduleRenewal = (): void => {
    renewal = deps.clock.after(untilRenewal(deps.clock.now()), () => {
      void renewClaim(open(), deps.log).finally(() => running && scheduleRenewal());
    });
  };
  return {
    ...{ dialect: sqliteDialect, coordination: deps.coordination, place: () => deps.place },
    ...(deps.advice ? { advice: deps.advice } : {}),
    async start() {
      if (running) throw new Error("The storage is open already");
      running = await startConnections(deps);
    },
    exclusive: (work) => exclusively(open(), deps.durability, work),
    async ready() {
      if (open().ownership) scheduleRenewal();
    },
    read: async (work) => open().reads.read(work),
    readAtOnce: ({ sql }, parameters) => running && readAtOnce(running, sql, parameters),
    write: async (work) => open().writes.write(work),
    // There are no other nodes.
    announce: async () => undefined,
    adopt: (handle, databaseId) => {
      const { writer, shared, emptyLists } = open();
      emptyLists.end();
      return adoptHandle(handle, { file: writer.file, shared, databaseId });
    },
    async close() {
      const closing = running;
      running = undefined;
      renewal?.[Symbol.dispose]();
      if (closing) await stopConnections(closing);
    },
  };
}

const NOTHING: SqlResult = { rows: [], changes: 0 };

function readAtOnce(running: Running, sql: string, parameters: readonly unknown[]): SqlResult | undefined {
  const { emptyLists, reader } = running;
  const isList = parameters.length === 0;
  if (isList && emptyLists.has(sql)) return NOTHING;
  // Inside the snapshot of another read, this one would miss later commits.
  if (!reader || reader.isTransaction()) return undefined;
  try {
    const result = reader.run(sql, parameters);
    if (isList && result.rows.length === 0) emptyLists.note(sql);
    return result;
  } catch {
    // The read queue repeats the read: it waits for locks and reports other errors.
    return undefined;
  }
}

/** Yields to the event loop now and then: a new database takes hundreds of statements, an upgrade even more. */
function inSlices(session: SqlSession): SqlSession {
  let since = performance.now();
  return {
    async run(statement, parameters) {
      if (performance.now() - since > SLICE_MS) {
        await nextTurn();
        since = performance.now();
      }
      return session.run(statement, parameters);
    },
  };
}

async function startConnections({ connect, durability, memory, clock, log }: BackendDeps): Promise<Running> {
  const connections = connect();
  const { writer, reader, shared } = connections;
  try {
    if (writer.file !== undefined) refuseFormerLog(writer.file);
    await whenFree(() => configure(writer, durability));
    reader?.run("pragma query_only = 1", []);
    if (writer.file !== undefined) boundPages(connections, memory);
    // The host's connection may belong to another SQLite library, and two of them in one process drop each other's locks.
    const checkpoints = hasFile(writer) && !shared ? createCheckpoints(writer, log) : undefined;
    // Last, because it may fail: a failed start must leave no claim behind.
    const ownership = writer.file === undefined ? undefined : await whenFree(() => own(writer, clock));
    const emptyLists = createEmptyLists();
    const writes = createWriteQueue(writer, () => ownership?.check(), { checkpoints, changed: emptyLists.forget });
    const queues = reader ? { writes, reads: createReadQueue(reader) } : shareWriter(writer, writes);
    return { ...connections, ...queues, ownership, checkpoints, emptyLists };
  } catch (error) {
    closeHandles(connections);
    throw error;
  }
}

type Durability = "full" | "process";

const pragmaOf =
  (handle: SqliteHandle) =>
  (text: string): unknown =>
    Object.values(handle.run(`pragma ${text}`, []).rows[0] ?? {})[0];

function setDurability(writer: SqliteHandle, durability: Durability): void {
  const pragma = pragmaOf(writer);
  const level = durability === "full" ? 2 : 1;
  pragma(`synchronous = ${level}`);
  if (pragma("synchronous") !== level) throw new Error(`SQLite refused synchronous = ${level} on ${writer.file}`);
}

/**
 * Runs a migration without flushes. Its steps may be repeated, so none has to be on disk before the next one begins: flushing
 * them cost a first start 130 flushes. The write-ahead log protects the file without flushes too, and the commit after the
 * migration flushes all of its steps.
 */
async function withoutFlushes<R>(writer: SqliteHandle, durability: Durability, work: () => Promise<R>): Promise<R> {
  if (writer.file === undefined) return work();
  setDurability(writer, "process");
  try {
    return await work();
  } finally {
    setDurability(writer, durability);
  }
}

function configure(writer: SqliteHandle, durability: Durability): void {
  const pragma = pragmaOf(writer);
  if (writer.file === undefined) return;
  const mode = pragma("journal_mode = wal");
  if (mode !== "wal") throw new Error(`SQLite refused write-ahead logging on ${writer.file} (it says ${mode})`);
  setDurability(writer, durability);
  // For a connection of the host, where no thread of ours copies the log (checkpoints.ts).
  pragma("wal_autocheckpoint = 4000");
  // Every write runs under a savepoint, for which SQLite keeps copies of the pages it touches. By default these spill to a
  // temporary file above 64 KB: a group of 50 creates then costs 47 µs each instead of 20.
  pragma("temp_store = memory");
}

/**
 * Splits the page cache: the writer gets four fifths, since two thousand pages hold the right edges of all indexes while records
 * are added. Doubling it made jobs no faster, and eight megabytes for the reader did not speed up a search of 10,000 tickets.
 */
function boundPages({ writer, reader }: Pick<SqliteConnections, "writer" | "reader">, memory: number): void {
  const bound = (handle: SqliteHandle, bytes: number): void =>
    void handle.run(`pragma cache_size = -${Math.max(1, Math.floor(bytes / 1024))}`, []);
  bound(writer, reader ? memory * 0.8 : memory);
  if (reader) bound(reader, memory * 0.2);
}

function own(writer: SqliteHandle, clock: Clock): Ownership {
  writer.run("begin immediate", []);
  try {
    const ownership = takeOwnership(writer, clock);
    writer.run("commit", []);
    return ownership;
  } catch (error) {
    if (writer.isTransaction()) writer.run("rollback", []);
    throw error;
  }
}

/** In memory one connection serves all: reads queue up with the writes. */
function shareWriter(writer: SqliteHandle, queue: WriteQueue): Pick<Running, "writes" | "reads"> {
  const inTurn = new AsyncLocalStorage<{ active: boolean }>();
  const session = sessionOf(writer);
  const takeTurn = <R>(work: Work<Outcome<R>>): Promise<R> =>
    queue.write(async (on) => {
      const turn = { active: true };
      try {
        return await inTurn.run(turn, work, on);
      } finally {
        turn.active = false;
      }
    });
  return {
    writes: {
      idle: queue.idle,
      write: (work) =>
        inTurn.getStore()?.active
          ? Promise.reject(
              new Error("A write inside a read would wait for itself: a database in memory has one connection"),
            )
          : takeTurn(work),
    },
    reads: {
      idle: queue.idle,
      read: (work) =>
        inTurn.getStore()?.active
          ? work(session)
          : takeTurn(async (on) => ({ result: await work(on), committed: () => undefined })),
    },
  };
}

const hasFile = (handle: SqliteHandle): handle is SqliteHandle & { readonly file: string } => handle.file !== undefined;

async function stopConnections(running: Running): Promise<void> {
  const { writes, reads, ownership, checkpoints, writer, ...connections } = running;
  await Promise.all([writes.idle(), reads.idle()]);
  await checkpoints?.close();
  try {
    if (ownership) await whenFree(() => ownership.release());
  } finally {
    closeHandles({ writer, ...connections });
  }
}

function closeHandles({ writer, reader, shared }: SqliteConnections): void {
  reader?.close();
  if (!shared) writer.close();
}
