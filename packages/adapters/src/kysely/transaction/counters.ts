import { cleanText } from "@signalbox/core/storage";
import { type Kysely, sql } from "kysely";
import type { SqlDialect, SqlSession, Tables } from "../dialect.ts";
import { prepare, slot, tableRef } from "../statements.ts";

/** Gives the next value of a counter; the row stays locked until the commit, so that there are no gaps. */
export function compileCounter(
  db: Kysely<Tables>,
  dialect: SqlDialect,
): (session: SqlSession, name: string) => Promise<number> {
  const table = tableRef(dialect, "sb_counters");
  const next = prepare(
    db,
    sql`insert into ${table} as counter (name, value) values (${slot("name")}, 1)
      on conflict (name) do update set value = counter.value + 1 returning value`,
  );
  return async (session, name) => {
    const { rows } = await next(session, { name: cleanText(name) });
    return Number(rows[0]?.["value"]);
  };
}
