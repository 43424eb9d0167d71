import { randomBytes } from "node:crypto";
import pg from "pg";

/** Creates an empty database on the server of `adminUrl` and returns its URL. */
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

/**
 * Tables with files of up to this many bytes are emptied row by row: truncating makes new files for a table and each of its
 * indexes.
 */
const SMALL = 1_000_000;

/** Empties every table of the storage that holds data of the product; a new database would cost about 100 ms. */
export async function emptyTables(url: string, schema = "signalbox"): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select format('%I.%I', $1::text, relname) as name, pg_relation_size(oid) > ${SMALL} as is_large from pg_class
      where relnamespace = to_regnamespace($1) and relkind = 'r' and pg_relation_size(oid) > 0
        and relname not in ('sb_database', 'sb_collections') and relname not like 'sb\\_migrations%'
      union all
      select format('%I.%I', schemaname, sequencename), null from pg_sequences
      where schemaname = $1 and last_value is not null`,
    [schema],
  );
  const statements = rows.map(({ name, is_large: isLarge }) => {
    if (isLarge === null) return `alter sequence ${name} restart`;
    return isLarge ? `truncate ${name}` : `delete from ${name}`;
  });
  await client.query(statements.join(";"));
  await client.end();
}
