import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** The fixed tables. Each step is idempotent, because SQLite runs migrations outside a transaction. */
export const base = (dialect: SqlDialect): Migration => ({
  async up(plain: Kysely<Tables>) {
    const db = dialect.schema === undefined ? plain : plain.withSchema(dialect.schema);
    await createIdentity(db, dialect);
    await createTimeline(db, dialect);
    await createWork(db, dialect);
  },
});

async function createIdentity(db: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { text, bigint } = dialect.types;
  // A single row with an id that distinguishes this database from all others.
  await db.schema
    .createTable("sb_database")
    .ifNotExists()
    .addColumn("one", sql`integer`, (column) => column.primaryKey())
    .addColumn("id", sql`${text}`, (column) => column.notNull())
    .execute();
  const database = tableRef(dialect, "sb_database");
  await sql`insert into ${database} (one, id) values (1, ${randomUUID()}) on conflict do nothing`.execute(db);
  await db.schema
    .createTable("sb_collections")
    .ifNotExists()
    .addColumn("name", sql`${text}`, (column) => column.primaryKey())
    .addColumn("fingerprint", sql`text`, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("sb_counters")
    .ifNotExists()
    .addColumn("name", sql`${text}`, (column) => column.primaryKey())
    .addColumn("value", sql`${bigint}`, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("sb_nodes")
    .ifNotExists()
    .addColumn("id", sql`${text}`, (column) => column.primaryKey())
    .addColumn("seen", sql`${dialect.types.real}`, (column) => column.notNull())
    .execute();
}

async function createTimeline(db: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { text, bigint } = dialect.types;
  await db.schema
    .createTable("sb_timeline")
    .ifNotExists()
    .addColumn("system", sql`${text}`, (column) => column.notNull())
    .addColumn("bucket", sql`${bigint}`, (column) => column.notNull())
    .addColumn("server", sql`${text}`, (column) => column.notNull())
    .addColumn("payload", sql`text`, (column) => column.notNull())
    .addPrimaryKeyConstraint("sb_timeline_pkey", ["system", "bucket", "server"])
    .$call((table) => (dialect.withoutRowid ? table.modifyEnd(dialect.withoutRowid) : table))
    .execute();
  await db.schema
    .createTable("sb_series")
    .ifNotExists()
    .addColumn("server", sql`${text}`, (column) => column.notNull())
    .addColumn("system", sql`${text}`, (column) => column.notNull())
    .addColumn("first", sql`${bigint}`, (column) => column.notNull())
    .addColumn("last", sql`${bigint}`, (column) => column.notNull())
    .addPrimaryKeyConstraint("sb_series_pkey", ["server", "system"])
    .$call((table) => (dialect.withoutRowid ? table.modifyEnd(dialect.withoutRowid) : table))
    .execute();
}

async function createWork(db: Kysely<Tables>, dialect: SqlDialect): Promise<void> {
  const { text, real, sequence } = dialect.types;
  await db.schema
    .createTable("sb_work")
    .ifNotExists()
    .addColumn("seq", sql`${sequence}`)
    .addColumn("id", sql`${text}`, (column) => column.notNull().unique())
    .addColumn("kind", sql`${text}`, (column) => column.notNull())
    .addColumn("key", sql`${text}`)
    .addColumn("payload", sql`text`, (column) => column.notNull())
    .addColumn("run_at", sql`${real}`)
    .addColumn("attempts", sql`integer`, (column) => column.notNull())
    .addColumn("node", sql`${text}`)
    .addColumn("claimed_by", sql`${text}`)
    .addColumn("claimed_until", sql`${real}`)
    .addColumn("token", sql`${text}`)
    .addColumn("error", sql`text`)
    .execute();
  const work = tableRef(dialect, "sb_work");
  await sql`create unique index if not exists sb_work_key on ${work} (kind, key) where run_at is not null`.execute(db);
  await sql`create index if not exists sb_work_due on ${work} (run_at, seq) where run_at is not null`.execute(db);
}
