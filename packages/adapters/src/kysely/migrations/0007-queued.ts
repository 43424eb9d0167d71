import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** Adds the time at which work was queued, by the clock that chose its due time. Older items have none. */
export const queued = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    // SQLite does not support this condition.
    const missing = sql.raw(dialect.schema === undefined ? "" : "if not exists");
    await sql`alter table ${tableRef(dialect, "sb_work")}
      add column ${missing} queued_at ${dialect.types.real}`.execute(db);
  },
});
