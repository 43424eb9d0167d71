import type { SqlDialect } from "@signalbox/adapters/kysely";
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "@signalbox/adapters/kysely";
import { sqliteFaultOf } from "./faults.ts";
import { isUniqueViolation } from "./file/handle.ts";
import { sqliteText } from "./text.ts";

/**
 * Shows the introspector our tables alone: SQLite cannot describe a host's broken view, or a virtual table whose module is not
 * loaded here, and fails.
 */
const ownTables = <Db extends Parameters<SqlDialect["kysely"]["createIntrospector"]>[0]>(db: Db): Db =>
  db.with("sqlite_master", (own) =>
    own.selectFrom("main.sqlite_master").selectAll().where("name", sql`glob`, "sb_*"),
  ) as unknown as Db;

export const sqliteDialect: SqlDialect = {
  name: "sqlite",
  kysely: {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(ownTables(db)),
  },
  types: {
    // SQLite compares text by bytes unless told otherwise.
    text: sql`text`,
    real: sql`real`,
    bigint: sql`integer`,
    document: sql`text`,
    bytes: sql`blob`,
    sequence: sql`integer primary key`,
  },
  withoutRowid: sql`without rowid`,
  nullsFirst: sql``,
  documentText: sql<string>`doc`,
  text: sqliteText,
  tableNamed: (name) => sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`,
  begin: "begin immediate",
  skipLocked: sql``,
  locked: sql``,
  isUniqueViolation,
  // Writers wait for the lock before they begin, so no transaction loses a race halfway.
  isRace: () => false,
  faultOf: sqliteFaultOf,
  // There is one writer at a time.
  lock: async () => true,
};
