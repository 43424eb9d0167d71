import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Storage } from "@signalbox/core/storage";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { createTestDatabase } from "../../packages/storage-pg/test/test-database.ts";

/** A host program with its own table in the database that it shares with Signalbox. */
export interface Host {
  readonly storage: Storage;
  /** Begins a transaction, writes one order in it and returns the handle. */
  begin(): Promise<unknown>;
  end(how: "commit" | "rollback"): Promise<void>;
  /** Number of committed orders. */
  orders(): Promise<number>;
  close(): Promise<void>;
}

const CREATE = "create table orders (item text)";
const INSERT = "insert into orders (item) values ('lamp')";
const COUNT = "select count(*) as n from orders";

export async function sqliteHost(): Promise<Host> {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-tx-"));
  const filename = join(directory, "host.sqlite");
  const database = new DatabaseSync(filename);
  database.exec(CREATE);
  return {
    storage: sqliteStorage({ filename }),
    async begin() {
      database.exec("begin immediate");
      database.exec(INSERT);
      return database;
    },
    end: async (how) => database.exec(how),
    orders: async () => Number(database.prepare(COUNT).get()?.["n"]),
    async close() {
      database.close();
      await rm(directory, { recursive: true });
    },
  };
}

export async function pgHost(adminUrl: string): Promise<Host> {
  const connectionString = await createTestDatabase(adminUrl);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(CREATE);
  return {
    storage: pgStorage({ connectionString }),
    async begin() {
      await client.query("begin");
      await client.query(INSERT);
      return client;
    },
    async end(how) {
      await client.query(how);
    },
    orders: async () => Number((await client.query(COUNT)).rows[0].n),
    close: () => client.end(),
  };
}

/** A host with Kysely; Signalbox uses the host's pool. */
export async function kyselyHost(adminUrl: string): Promise<Host> {
  const pool = new pg.Pool({ connectionString: await createTestDatabase(adminUrl) });
  const db = new Kysely<{ orders: { item: string } }>({ dialect: new PostgresDialect({ pool }) });
  await pool.query(CREATE);
  let open: { commit(): { execute(): Promise<void> }; rollback(): { execute(): Promise<void> } } | undefined;
  return {
    storage: pgStorage({ pool, schema: `box_${randomBytes(3).toString("hex")}` }),
    async begin() {
      const transaction = await db.startTransaction().execute();
      open = transaction;
      await transaction.insertInto("orders").values({ item: "lamp" }).execute();
      return transaction;
    },
    end: async (how) => open?.[how]().execute(),
    orders: async () => Number((await pool.query(COUNT)).rows[0].n),
    close: () => db.destroy(),
  };
}
