import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** Rows that nodes write with each heartbeat, and messages between them, for nodes that share a database. */
export const nodes = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    const table = tableRef(dialect, "sb_nodes");
    // Each row is written every two seconds, so its page keeps room for the next version.
    await sql`alter table ${table} set (fillfactor = 50)`.execute(db);
    await sql`alter table ${table}
      add column if not exists host text not null default '',
      add column if not exists version text not null default '',
      add column if not exists protocol int not null default 0,
      add column if not exists started double precision not null default 0,
      add column if not exists state text not null default 'up',
      add column if not exists beat bigint not null default 0,
      add column if not exists satellites int not null default 0,
      add column if not exists jobs int not null default 0,
      add column if not exists load double precision not null default 0,
      add column if not exists lag_ms int not null default 0`.execute(db);
    // Messages between nodes that are too long for a notification. They need not survive a crash, nor more than a minute.
    await sql`create unlogged table if not exists ${tableRef(dialect, "sb_mail")} (
      id bigserial primary key,
      to_node text not null,
      at timestamptz not null default clock_timestamp(),
      body text not null)`.execute(db);
  },
});
