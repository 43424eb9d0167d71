import {
  type AdoptedSession,
  hostHandle,
  isKyselyTransaction,
  kyselySession,
  type SqlSession,
} from "@signalbox/adapters/kysely";
import type { ClientBase } from "pg";
import { clientSession } from "./session.ts";

interface Own {
  readonly schema: string;
  readonly databaseId: () => string;
  /** Handles known to be on our database. */
  readonly verified: WeakSet<object>;
}

/** A `pg` client that says whether a transaction is open: "T" within one, "E" within a failed one, "I" outside. */
type HostClient = ClientBase & { getTransactionStatus(): string | null };

function isClient(value: unknown): value is HostClient {
  if (typeof value !== "object" || value === null || "totalCount" in value) return false;
  const { query, getTransactionStatus } = value as Partial<HostClient>;
  return typeof query === "function" && typeof getTransactionStatus === "function";
}

/** Wraps a handle of the host as a session. Throws `TypeError` unless it is an open transaction. */
export function adoptHandle(given: unknown, own: Own): AdoptedSession {
  const value = hostHandle(given);
  const session = sessionOf(value);
  return {
    session,
    handle: value as object,
    async verify() {
      if (own.verified.has(value as object)) return;
      await verify(session, own);
      own.verified.add(value as object);
    },
  };
}

function sessionOf(value: unknown): SqlSession {
  if (isKyselyTransaction(value)) return kyselySession(value);
  if (!isClient(value)) throw new TypeError("Not a PostgreSQL handle: give a `pg` client or a Kysely transaction");
  if (value.getTransactionStatus() !== "T") throw new TypeError("The client has no transaction open");
  // No prepared statements are kept on a connection of the host.
  return clientSession(value);
}

async function verify(session: SqlSession, { schema, databaseId }: Own): Promise<void> {
  const table = `"${schema.replaceAll('"', '""')}".sb_database`;
  const run = async (sql: string, parameters: string[]) =>
    (await session.run({ sql, kept: false }, parameters)).rows[0];
  // Checked first, because a query on a missing table would abort the host's transaction.
  const present = await run("select to_regclass($1)::text as name", [table]);
  const found = present?.["name"] == null ? undefined : await run(`select id from ${table}`, []);
  if (found?.["id"] !== databaseId()) throw new TypeError("The transaction is on another database");
}
