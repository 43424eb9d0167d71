import type { Logger } from "@signalbox/core/adapter";
import { DomainError } from "@signalbox/core/plugin";
import type { AnyCollection } from "@signalbox/core/storage";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import { nextTurn } from "../collection/documents.ts";
import type { SqlDialect, SqlSession } from "../dialect.ts";
import { migrations } from "../migrations/index.ts";
import { kyselyOver, tableRef } from "../statements.ts";
import { checkDefinitions } from "./declaration.ts";
import { upgradeCollections } from "./upgrade.ts";

/** Migrates the fixed tables and upgrades every collection to its declaration. Returns the id of the database. */
export async function openDatabase(
  dialect: SqlDialect,
  session: SqlSession,
  { collections, log }: { collections: readonly AnyCollection[]; log: Logger },
): Promise<string> {
  checkDefinitions(collections);
  if (!(await isMigrated(dialect, session))) {
    log.info({ migrations: await migrate(dialect, session) }, "The tables of the storage were migrated");
    await nextTurn();
  }
  await upgradeCollections({ dialect, session }, collections, log);
  const { rows } = await sql<{ id: string }>`select id from ${tableRef(dialect, "sb_database")}`.execute(
    kyselyOver(dialect, session),
  );
  return rows[0]?.id ?? "";
}

/**
 * Whether all migrations have run, as they have at every start but the first of a database or release. This takes two statements,
 * while the migrator reads the database's whole catalog twice.
 */
async function isMigrated(dialect: SqlDialect, session: SqlSession): Promise<boolean> {
  const db = kyselyOver(dialect, session);
  const { rows: tables } = await dialect.tableNamed("sb_migrations").execute(db);
  if (tables.length === 0) return false;
  const { rows } = await sql<{ name: string }>`select name from ${tableRef(dialect, "sb_migrations")}`.execute(db);
  const known = Object.keys(migrations(dialect));
  return rows.length === known.length && rows.every(({ name }) => known.includes(name));
}

/** Runs the missing migrations and returns their names. */
async function migrate(dialect: SqlDialect, session: SqlSession): Promise<readonly string[]> {
  const db = kyselyOver(dialect, session);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(dialect) },
    migrationTableName: "sb_migrations",
    migrationLockTableName: "sb_migrations_lock",
    ...(dialect.schema === undefined ? {} : { migrationTableSchema: dialect.schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw migrationError(error);
  return results.map(({ migrationName }) => migrationName);
}

const MISSING = /previously executed migration (\S+) is missing/;

/** The error of a failed migration. A database of a newer release, whose tables this release does not know, has its own error. */
function migrationError(error: unknown): Error {
  const [, newer] = MISSING.exec(error instanceof Error ? error.message : "") ?? [];
  if (newer === undefined) return new Error("The tables could not be migrated", { cause: error });
  const description = `The storage cannot be opened: its tables were made by a newer release of Signalbox (${newer}). Install that release, or open another database.`;
  return new DomainError("storage", "conflict", description, { cause: error });
}
