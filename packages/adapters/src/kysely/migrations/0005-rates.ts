import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { SqlDialect, Tables } from "../dialect.ts";
import { tableRef } from "../statements.ts";

/** Shares that all nodes together have taken of a minute's limit, for nodes that share a database. */
export const rates = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Tables>) {
    await sql`create table if not exists ${tableRef(dialect, "sb_rates")} (
      minute bigint primary key,
      taken bigint not null,
      granted bigint not null) with (fillfactor = 50)`.execute(db);
  },
});
