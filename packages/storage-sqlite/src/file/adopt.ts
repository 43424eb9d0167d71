import { type AdoptedSession, hostHandle, isKyselyTransaction, kyselySession } from "@signalbox/adapters/kysely";
import {
  fromHostDatabase,
  fromNodeSqlite,
  isHostDatabase,
  isNodeSqlite,
  type SqliteHandle,
  sessionWithin,
} from "./handle.ts";

interface Own {
  /** Real path of our database; undefined when it is in memory. */
  readonly file: string | undefined;
  /** The host's own object, when the storage shares it. */
  readonly shared: object | undefined;
  readonly databaseId: () => string;
}

/** Handles by host object: prepared statements stay with the handle they belong to. */
const handles = new WeakMap<object, SqliteHandle>();

function handleOf(value: unknown): SqliteHandle | undefined {
  if (!isNodeSqlite(value) && !isHostDatabase(value)) return undefined;
  const known = handles.get(value);
  if (known) return known;
  const handle = isNodeSqlite(value) ? fromNodeSqlite(value) : fromHostDatabase(value);
  handles.set(value, handle);
  return handle;
}

/** Wraps a handle of the host as a session. Throws `TypeError` unless it is an open transaction on our database. */
export function adoptHandle(given: unknown, own: Own): AdoptedSession {
  const value = hostHandle(given);
  if (isKyselyTransaction(value)) return adoptKysely(value, own);
  const handle = handleOf(value);
  if (!handle)
    throw new TypeError("Not a SQLite handle: give a DatabaseSync, a better-sqlite3 database or a Kysely transaction");
  const same = own.file === undefined ? value === own.shared : handle.file === own.file;
  if (!same) throw new TypeError("The handle is on another database");
  const refuseEnded = (): void => {
    if (!handle.isTransaction()) throw new TypeError("The handle has no transaction open");
  };
  refuseEnded();
  return { session: sessionWithin(handle), handle: value as object, refuseEnded, verify: async () => undefined };
}

function adoptKysely(transaction: Parameters<typeof kyselySession>[0], own: Own): AdoptedSession {
  const session = kyselySession(transaction);
  return {
    session,
    handle: transaction,
    async verify() {
      const statement = { sql: "select id from sb_database", kept: true };
      const found = await session.run(statement, []).catch((error: unknown) => {
        throw new TypeError("The transaction is on another database", { cause: error });
      });
      if (found.rows[0]?.["id"] !== own.databaseId()) throw new TypeError("The transaction is on another database");
    },
  };
}
