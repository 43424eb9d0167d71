import type { StorageUpkeep } from "@signalbox/core/storage";
import type { Connections } from "./sessions/connections.ts";

/** PostgreSQL maintains itself, and backups are left to the operator. The name of the schema was checked when it was given. */
export function pgUpkeep({ borrow, connectAlone }: Connections, schema: string): StorageUpkeep {
  const tables = "select quote_ident(tablename) as name from pg_tables where schemaname = $1 order by 1";
  return {
    async size() {
      const { client, release } = await borrow();
      try {
        const sum = "coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8";
        const of = "pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'";
        const { rows } = await client.query(`select ${sum} as bytes from ${of}`, [schema]);
        return Number(rows[0]?.bytes ?? 0);
      } finally {
        release();
      }
    },
    async optimize(tell, signal) {
      // Not from the pool: large tables take minutes, during which others need its connections.
      const client = await connectAlone("upkeep");
      try {
        const { rows } = await client.query(tables, [schema]);
        for (const { name } of rows) {
          signal.throwIfAborted();
          await client.query(`vacuum (analyze) ${schema}.${name}`);
        }
        tell(`Vacuumed and analysed ${rows.length} tables.`);
        tell("PostgreSQL checks its pages itself, where data checksums are on.");
      } finally {
        await client.end();
      }
    },
    backup: async () => undefined,
  };
}
