import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** When queued work was queued, by the clock that chose its due time. Older items have none. */
export const queued = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    await sql`alter table ${tableRef(dialect, "sb_work")} add column queued_at ${dialect.types.real}`.execute(db);
  },
});
