import { realpathSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { SqlResult, SqlSession } from "@signalbox/adapters/kysely";
import type { SqliteDatabase } from "kysely";

/** Loaded on first use: an import would end the program on an older Node before the engine can refuse with a clear message. */
const nodeSqlite = (): typeof import("node:sqlite") | undefined => process.getBuiltinModule?.("node:sqlite");

/** One SQLite connection, whichever driver it came from. */
export interface SqliteHandle {
  /** Runs one statement; prepares its text once and caches the most recent ones. */
  run(sql: string, parameters: readonly unknown[]): SqlResult;
  isTransaction(): boolean;
  /** Real path of the main database; undefined when it is in memory. */
  readonly file: string | undefined;
  /** Another connection to the same file through the same library; undefined when none can be opened. */
  openAnother(): SqliteHandle | undefined;
  close(): void;
}

/**
 * A connection as the shared code sees it: asynchronous in form only. SQLite answers synchronously, and errors become rejections.
 */
export const sessionOf = (handle: SqliteHandle): SqlSession => ({
  run: async ({ sql }, parameters) => handle.run(sql, parameters),
});

export const transactionLost = (): Error =>
  Object.assign(new Error("SQLite has ended the transaction because of an earlier error in it"), {
    code: "SQLITE_ABORT",
  });

/**
 * The same inside a transaction. On some errors (a full or failing disk) SQLite itself ends the transaction; a further statement
 * would then be committed on its own.
 */
export const sessionWithin = (handle: SqliteHandle): SqlSession => ({
  async run({ sql }, parameters) {
    if (!handle.isTransaction()) throw transactionLost();
    return handle.run(sql, parameters);
  },
});

/** Ends a transaction; never throws: a failed commit is rolled back, and a failed rollback leaves nothing to keep. */
export function endTransaction(handle: SqliteHandle, how: "commit" | "rollback"): void {
  if (!handle.isTransaction()) return;
  try {
    handle.run(how, []);
  } catch {
    // The error is dropped: finished work has its answer, and failed work has thrown the error that led here.
    if (how === "commit") endTransaction(handle, "rollback");
  }
}

/** Prepared statements cached per connection. */
const KEPT = 256;

interface Runnable {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint };
}

/** Caches prepared statements and evicts the least recently used one; a `Map` keeps the order. */
function keepStatements(prepare: (sql: string) => Runnable): SqliteHandle["run"] {
  const kept = new Map<string, Runnable>();
  return (sql, parameters) => {
    let statement = kept.get(sql);
    if (statement === undefined) {
      statement = prepare(sql);
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
    } else kept.delete(sql);
    kept.set(sql, statement);
    if (!statement.reader) return { rows: [], changes: Number(statement.run(parameters).changes) };
    const rows = statement.all(parameters) as SqlResult["rows"];
    return { rows, changes: rows.length };
  };
}

const fileOf = (run: SqliteHandle["run"]): string | undefined => {
  const main = run("pragma database_list", []).rows.find(({ name }) => name === "main");
  const file = main?.["file"];
  return typeof file === "string" && file !== "" ? realpathSync(file) : undefined;
};

/**
 * Builds a row from an array of values. The rows that `node:sqlite` builds itself are hash tables: 25 of them took 36 µs instead
 * of 22.
 */
function rowOf(names: readonly string[], values: readonly SQLOutputValue[]): SqlResult["rows"][number] {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
  return row;
}

/** `close` closes the connection itself; pass a handle of the host only where that is intended. */
export function fromNodeSqlite(database: DatabaseSync): SqliteHandle {
  const run = keepStatements((sql) => {
    const statement = database.prepare(sql);
    const names = statement.columns().map(({ name }) => name);
    statement.setReturnArrays(true);
    return {
      reader: names.length > 0,
      all: (parameters) =>
        (statement.all(...(parameters as SQLInputValue[])) as unknown as SQLOutputValue[][]).map((values) =>
          rowOf(names, values),
        ),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    };
  });
  const file = fileOf(run);
  return {
    run,
    file,
    isTransaction: () => database.isTransaction,
    openAnother: () => (file === undefined ? undefined : openFile(file)),
    close: () => database.close(),
  };
}

/**
 * Opens with a timeout of 0: waiting for a busy database happens asynchronously, as a wait inside SQLite would block the host's
 * event loop.
 */
export function openFile(filename: string): SqliteHandle {
  const library = nodeSqlite();
  if (!library)
    throw new TypeError(
      `sqliteStorage: this runtime (Node ${process.versions.node}) has no node:sqlite. Use Node 22.18 or newer, or give a better-sqlite3 database.`,
    );
  return fromNodeSqlite(new library.DatabaseSync(filename, { timeout: 0 }));
}

/** Members of better-sqlite3's `Database` that Kysely does not use. */
interface HostDatabase extends SqliteDatabase {
  readonly inTransaction?: boolean;
  readonly name?: string;
  readonly constructor: unknown;
}

export function fromHostDatabase(database: HostDatabase): SqliteHandle {
  const run = keepStatements((sql) => database.prepare(sql));
  const file = fileOf(run);
  return {
    run,
    file,
    isTransaction: () => database.inTransaction === true,
    openAnother() {
      // Two SQLite libraries in one process do not see each other's locks: only the host's own one may open the file.
      const Database = database.constructor as new (filename: string, options: object) => HostDatabase;
      if (file === undefined || database.inTransaction === undefined || database.name === undefined) return undefined;
      return fromHostDatabase(new Database(file, { timeout: 0 }));
    },
    close: () => database.close(),
  };
}

export function isNodeSqlite(value: unknown): value is DatabaseSync {
  const library = nodeSqlite();
  return library !== undefined && value instanceof library.DatabaseSync;
}

/** True for a database that Kysely's SQLite dialect takes. */
export function isHostDatabase(value: unknown): value is HostDatabase {
  if (typeof value !== "object" || value === null || isNodeSqlite(value)) return false;
  const { prepare, close } = value as Partial<SqliteDatabase>;
  return typeof prepare === "function" && typeof close === "function";
}

const resultCode = (error: unknown): { code?: unknown; errcode?: unknown } =>
  typeof error === "object" && error !== null ? error : {};

/** Whether another connection holds the lock: SQLITE_BUSY or SQLITE_LOCKED, as either driver reports it. */
export function isBusy(error: unknown): boolean {
  const { code, errcode } = resultCode(error);
  if (typeof errcode === "number") return (errcode & 0xff) === 5 || (errcode & 0xff) === 6;
  return typeof code === "string" && /^SQLITE_(BUSY|LOCKED)/.test(code);
}

/** SQLITE_CONSTRAINT_UNIQUE or SQLITE_CONSTRAINT_PRIMARYKEY. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = resultCode(error);
  if (typeof errcode === "number") return errcode === 2067 || errcode === 1555;
  return code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY";
}
