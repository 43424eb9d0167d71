import type { DatabaseSync } from "node:sqlite";
import { fsBlobStore } from "@signalbox/adapters/blobs/fs";
import { kyselyStorage, type SqlStorage } from "@signalbox/adapters/kysely";
import { memoryBlobStore } from "@signalbox/core";
import {
  type BlobStore,
  type Clock,
  checkOptions,
  consoleLogger,
  createIds,
  given,
  givenText,
  type Logger,
  type OptionRules,
  optional,
  optionalOneOf,
  optionalPositive,
  systemClock,
  systemRandom,
} from "@signalbox/core/adapter";
import { localCoordination } from "@signalbox/core/storage";

export type { BackupOptions } from "./upkeep.ts";

import type { SqliteDatabase } from "kysely";
import { adviceFor } from "./file/advice.ts";
import { fromHostDatabase, fromNodeSqlite, isNodeSqlite, openFile, type SqliteHandle } from "./file/handle.ts";
import { type SqliteConnections, sqliteBackend } from "./sqlite-backend.ts";
import { type BackupOptions, sqliteUpkeep } from "./upkeep.ts";

export interface SqliteStorageOptions {
  /** File path; ":memory:" keeps everything in memory until the process ends. */
  readonly filename?: string;
  /**
   * An open handle of the host instead of `filename`: a `DatabaseSync`, or a database that Kysely's SQLite dialect takes
   * (better-sqlite3). If it names a file, the storage opens its own connections to that file; a database in memory is shared. The
   * storage never closes it.
   */
  readonly database?: DatabaseSync | SqliteDatabase;
  /**
   * Durability of an acknowledged write: "full" (the default) survives the loss of power, "process" only the death of
   * the process.
   */
  readonly durability?: "full" | "process";
  /**
   * Size of the page cache in bytes, for all connections together: default 10 MB, "small" 2 MB. A database in memory has no such
   * bound.
   */
  readonly memory?: "small" | number;
  /** Nightly backups of a database in a file. */
  readonly backups?: BackupOptions;
  readonly clock?: Clock;
  readonly log?: Logger;
}

const MEMORY = 10_240_000;
const SMALL_MEMORY = 2_048_000;

const RULES: OptionRules<SqliteStorageOptions> = {
  filename: givenText,
  database: given,
  durability: optionalOneOf("full", "process"),
  memory: (value, isThere) =>
    value === "small" || optionalPositive(value, isThere) === undefined
      ? undefined
      : 'must be "small" or a positive number of bytes',
  backups: optional,
  clock: optional,
  log: optional,
};

/**
 * Storage in one SQLite file, for a single host process; a second one is refused while the first one lives.
 * `adopt` takes a `DatabaseSync`, a better-sqlite3 database or a Kysely transaction on the same file.
 * Its `blobs` are files in the folder `<file>.blobs`, or in memory where the database is.
 * Throws `TypeError` where neither a file nor a database is named, or for an unknown option.
 */
export function sqliteStorage(options: SqliteStorageOptions): SqlStorage {
  checkOptions("sqliteStorage", options, RULES);
  if ((options.filename === undefined) === (options.database === undefined))
    throw new TypeError(
      'sqliteStorage: give either `filename` or `database`; the filename of a database in memory is ":memory:"',
    );
  const { clock = systemClock, log = consoleLogger, durability = "full", memory = MEMORY } = options;
  const nodeId = createIds({ clock, random: systemRandom() }).short("n");
  const file = fileOf(options);
  const backend = sqliteBackend({
    connect: () => connect(options),
    place: file === undefined ? "the SQLite database in memory" : `the SQLite file ${file}`,
    ...(file === undefined ? {} : { advice: (fault) => adviceFor(file, fault) }),
    durability,
    memory: memory === "small" ? SMALL_MEMORY : memory,
    coordination: localCoordination({ nodeId, log }),
    clock,
    log,
  });
  const blobs: BlobStore = file === undefined ? memoryBlobStore({ clock }) : fsBlobStore(`${file}.blobs`);
  const storage = kyselyStorage(backend, { clock, log });
  return { ...storage, blobs, ...(file === undefined ? {} : { upkeep: sqliteUpkeep(file, options.backups) }) };
}

/** Path of the file; undefined for a database in memory. */
function fileOf({ filename, database }: SqliteStorageOptions): string | undefined {
  if (database !== undefined) return handleOf(database).file;
  return pathOf(filename as string);
}

/** The path that SQLite derives from a file name, which may be a URI. */
function pathOf(filename: string): string | undefined {
  const [uri = "", query = ""] = filename.startsWith("file:") ? filename.slice("file:".length).split(/[?#]/, 2) : [];
  const path = filename.startsWith("file:") ? decodeURIComponent(uri.replace(/^\/\/[^/]*/, "")) : filename;
  return path === "" || path === ":memory:" || /(^|&)mode=memory(&|$)/.test(query) ? undefined : path;
}

const handleOf = (database: DatabaseSync | SqliteDatabase): SqliteHandle =>
  isNodeSqlite(database) ? fromNodeSqlite(database) : fromHostDatabase(database);

function connect({ filename, database }: SqliteStorageOptions): SqliteConnections {
  if (database !== undefined) {
    const host = handleOf(database);
    const writer = host.openAnother();
    return writer ? withReader(writer) : { writer: host, shared: database };
  }
  return withReader(openFile(filename as string));
}

function withReader(writer: SqliteHandle): SqliteConnections {
  const reader = writer.openAnother();
  return reader ? { writer, reader } : { writer };
}
