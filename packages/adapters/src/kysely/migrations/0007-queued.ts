import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** Adds the time at which work was queued, by the clock that chose its due time. Older items have none. */
export const queued = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    // SQLite has no `if not exists` here, and may have lost only the note of an earlier run, since it migrates outside a transaction.
    const tables = await db.introspection.getTables();
    const work = tables.find(({ name, schema }) => name === "sb_work" && (schema ?? undefined) === dialect.schema);
    if (work?.columns.some(({ name }) => name === "queued_at")) return;
    await sql`alter table ${tableRef(dialect, "sb_work")} add column queued_at ${dialect.types.real}`.execute(db);
  },
});
