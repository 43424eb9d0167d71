import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** Leaders and the ends of their terms, for nodes that share a database. */
export const offices = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    // Each row is written every two seconds, so its page keeps room for the next version.
    await sql`create table if not exists ${tableRef(dialect, "sb_offices")} (
      office ${dialect.types.text} primary key,
      node ${dialect.types.text} not null,
      term bigint not null,
      expires timestamptz not null) with (fillfactor = 50)`.execute(db);
  },
});
