import { randomBytes } from "node:crypto";
import pg from "pg";

/** Creates an empty database beside `adminUrl`'s and returns its URL. */
export async function createTestDatabase(adminUrl: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Empties every table of the storage that holds data of the product; a new database would cost about 100 ms. */
export async function emptyTables(url: string, schema = "signalbox"): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = $1 and tablename not in ('sb_database', 'sb_collections')
        and tablename not like 'sb\\_migrations%'`,
    [schema],
  );
  // Truncating costs milliseconds a table and index, and most of them hold nothing.
  const tables = rows.map(({ name }) => `select '${name}' as name where exists (select from ${name})`);
  const filled = tables.length > 0 ? (await client.query(tables.join(" union all "))).rows : [];
  if (filled.length > 0) await client.query(`truncate ${filled.map(({ name }) => name).join(", ")} restart identity`);
  await client.end();
}
