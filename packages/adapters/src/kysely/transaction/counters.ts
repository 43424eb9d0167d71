import { cleanText } from "@signalbox/core/storage";
import { type Kysely, sql } from "kysely";
import type { SqlDialect, SqlSession, Tables } from "../dialect.ts";
import { prepare, slot, tableRef } from "../statements.ts";

export interface CounterQueries {
  /** Returns the next value of a counter. The row stays locked until the commit, so that there are no gaps. */
  next(session: SqlSession, name: string, above?: number): Promise<number>;
  last(session: SqlSession, name: string): Promise<number>;
}

export function compileCounters(db: Kysely<Tables>, dialect: SqlDialect): CounterQueries {
  const table = tableRef(dialect, "sb_counters");
  const next = prepare(
    db,
    sql`insert into ${table} as counter (name, value) values (${slot("name")}, ${slot("least")}) on conflict (name) do
      update set value = case when counter.value < excluded.value then excluded.value else counter.value + 1 end
      returning value`,
  );
  const last = prepare(db, sql`select value from ${table} where name = ${slot("name")}`);
  return {
    async next(session, name, above = 0) {
      const { rows } = await next(session, { name: cleanText(name), least: above + 1 });
      return Number(rows[0]?.["value"]);
    },
    async last(session, name) {
      const { rows } = await last(session, { name: cleanText(name) });
      return Number(rows[0]?.["value"] ?? 0);
    },
  };
}
