import type { StorageError } from "../../kernel/errors/errors.ts";
import type { Coordination, NodeMessage } from "../nodes/coordination.ts";
import type { BlobStore } from "./blob-store.ts";
import type {
  AnyCollection,
  Collection,
  CollectionDefinition,
  ReadableCollection,
  ReadCollection,
  StoredRecord,
} from "./collection.ts";
import type { StoredDocument } from "./stored-document.ts";
import type { ReadTimeline, Timeline } from "./timeline.ts";
import type { EnqueueOptions, WorkQueue } from "./work.ts";

/** One consistent snapshot, taken at the first read. */
export interface ReadTx {
  collection<T extends StoredRecord>(definition: CollectionDefinition<T>): ReadCollection<T>;
  readonly timeline: ReadTimeline;
  /** The last value of a named counter; 0 = there was none yet. */
  counted(name: string): Promise<number>;
}

/** All or nothing. Work inside it may await nothing but the transaction itself. */
export interface WriteTx extends ReadTx {
  collection<T extends StoredRecord>(definition: ReadableCollection<T>): ReadCollection<T>;
  collection<T extends StoredRecord>(definition: CollectionDefinition<T>): Collection<T>;
  readonly timeline: Timeline;
  /**
   * Stores texts unchanged, replacing older ones with the same ids: for records that one writer replaces all the time, which need
   * not be read or serialised again. Ids must differ. Throws `TypeError` for a resident collection and for one with columns,
   * terms or text, which would have to be read from the record.
   */
  overwrite(definition: AnyCollection, documents: readonly StoredDocument[]): Promise<void>;
  /**
   * The next value of a named counter, starting at 1; undone on rollback. It is one more than the last value, or than `above` if
   * that is greater.
   */
  counter(name: string, above?: number): Promise<number>;
  /**
   * Serialises writers of `key` until the end of the transaction. False when another transaction held it for `waitMs`
   * milliseconds; without `waitMs` it waits as long as it takes. Storages with one writer at a time never find it held.
   */
  lock(key: string, waitMs?: number): Promise<boolean>;
  enqueue(kind: string, payload: unknown, options?: EnqueueOptions): Promise<void>;
  /** Sends a message to the other nodes when the transaction commits; never after a rollback. */
  publish(message: NodeMessage): void;
  /**
   * Called once after the commit is durable and before `write` resolves, in the order of commits within this process;
   * never after a rollback. Inside a host's transaction the commit cannot be seen, so there it is never called.
   */
  afterCommit(listener: () => void): void;
}

/**
 * Reads the record with an id, or all records, as committed at this moment. Undefined = not available now, or the read failed, or
 * there are too many records for one turn of the event loop: `read` then gives the answer or the error.
 */
export interface ReadAtOnce {
  <T extends StoredRecord>(definition: CollectionDefinition<T>, id?: string): readonly T[] | undefined;
  /** The JSON text of the record with an id; undefined also when there is no such record. */
  text(definition: AnyCollection, id: string): string | undefined;
}

/** Our own transactions inside one that the host began and will end. */
export interface AdoptedTransaction {
  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R>;
  /** Runs under a savepoint: a failed `work` leaves no trace and the host's transaction stays usable. */
  write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R>;
}

/** Maintenance of a database, for administrators. It must not block the host's event loop. */
export interface StorageUpkeep {
  /** Bytes of the whole database. */
  size(): Promise<number>;
  /** Checks the database and frees space where possible; reports each step as one line. */
  optimize(tell: (line: string) => void, signal: AbortSignal): Promise<void>;
  /**
   * Makes the backup of a day ("2026-11-24"), replacing one of the same day, and deletes the oldest ones. Resolves to the name of
   * the backup; undefined = the operator makes backups.
   */
  backup(day: string, signal: AbortSignal): Promise<string | undefined>;
  /** The day of the newest copy up to a day; undefined where there is none. Later ones are of a clock that was ahead. */
  newestBackup?(day: string): Promise<string | undefined>;
}

/** A database as the engine uses it. Storages prove themselves with `storageConformance`. */
export interface Storage {
  readonly name: string;
  readonly coordination: Coordination;
  readonly work: WorkQueue;
  /**
   * Store for files and for the output of jobs when the host gives none: it lives as long as the records here. Absent = the
   * storage has no place for them, and they are lost at a restart.
   */
  readonly blobs?: BlobStore;
  /** Migrates and checks the database; safe to race with other processes. Must be called once, before anything else. */
  open(collections: readonly AnyCollection[]): Promise<void>;
  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R>;
  /** Absent = every read is asynchronous. */
  readonly readAtOnce?: ReadAtOnce;
  /**
   * True = the collection holds no committed record at this moment; false = it may hold one. Absent = always false. For work that
   * is polled every second and hardly ever exists.
   */
  readonly isKnownEmpty?: (definition: AnyCollection) => boolean;
  /** The same for storages that have to ask their server: one statement, which costs less than a snapshot. */
  readonly isEmpty?: (definition: AnyCollection) => Promise<boolean>;
  /** Resolves when the commit is durable. A `write` inside the `work` of another throws: it would wait for itself. */
  write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R>;
  /**
   * Joins a transaction of the host. The kind of handle depends on the storage (a `pg` client, a Kysely transaction, a SQLite
   * handle). Throws `TypeError` for anything else, or when the handle has no open transaction on the same database.
   */
  adopt(handle: unknown): AdoptedTransaction;
  /**
   * Calls the listener with every failure of the database itself, which also rejects its callers. For storages without it, the
   * engine learns of failures from the callers alone.
   */
  onFault?(listener: (error: StorageError) => void): Disposable;
  /** Absent = there is nothing to maintain. */
  readonly upkeep?: StorageUpkeep;
  /** Waits for running transactions and closes the connections that the storage itself opened. */
  close(): Promise<void>;
}
