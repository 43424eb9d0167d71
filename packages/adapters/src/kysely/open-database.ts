import type { Logger } from "@signalbox/core/adapter";
import { DomainError } from "@signalbox/core/plugin";
import type { AnyCollection } from "@signalbox/core/storage";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { SqlDialect, SqlSession } from "./dialect.ts";
import { checkDefinitions, readColumns, readFingerprints, upgradeCollection } from "./index-tables.ts";
import { migrations } from "./migrations/index.ts";
import { kyselyOver, tableRef } from "./statements.ts";

/** Migrates the fixed tables and brings every collection to its declaration; returns the id of the database. */
export async function openDatabase(
  dialect: SqlDialect,
  session: SqlSession,
  { collections, log }: { collections: readonly AnyCollection[]; log: Logger },
): Promise<string> {
  checkDefinitions(collections);
  await migrate(dialect, session);
  const fingerprints = await readFingerprints(dialect, session);
  const existing = await readColumns(dialect, session);
  for (const definition of collections) {
    const fingerprint = fingerprints.get(definition.name);
    const outcome = await upgradeCollection(dialect, session, definition, { fingerprint, existing });
    if (outcome === "upgraded" && fingerprint !== undefined)
      log.info({ collection: definition.name }, "The declaration changed: records were indexed anew");
  }
  const { rows } = await sql<{ id: string }>`select id from ${tableRef(dialect, "sb_database")}`.execute(
    kyselyOver(dialect, session),
  );
  return rows[0]?.id ?? "";
}

async function migrate(dialect: SqlDialect, session: SqlSession): Promise<void> {
  const db = kyselyOver(dialect, session);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(dialect) },
    migrationTableName: "sb_migrations",
    migrationLockTableName: "sb_migrations_lock",
    ...(dialect.schema === undefined ? {} : { migrationTableSchema: dialect.schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw migrationError(error);
}

const MISSING = /previously executed migration (\S+) is missing/;

/** Tables that a later release has made may mean what this one does not know. */
function migrationError(error: unknown): Error {
  const [, newer] = MISSING.exec(error instanceof Error ? error.message : "") ?? [];
  if (newer === undefined) return new Error("The tables could not be migrated", { cause: error });
  const description = `The storage cannot be opened: its tables were made by a newer release of Signalbox (${newer}). Install that release, or open another database.`;
  return new DomainError("storage", "conflict", description, { cause: error });
}
