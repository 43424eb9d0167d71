import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** Changes that transactions report to the other nodes, for nodes that share a database. */
export const changes = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    const table = tableRef(dialect, "sb_changes");
    await sql`create table if not exists ${table} (
      id bigserial primary key,
      xid xid8 not null default pg_current_xact_id(),
      node text not null,
      body text not null)`.execute(db);
    await sql`create index if not exists sb_changes_xid on ${table} (xid)`.execute(db);
  },
});
