import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import pg from "pg";
import { afterEach, beforeAll, beforeEach, inject } from "vitest";
import { type PgStorageOptions, pgStorage } from "../src/index.ts";
import { createTestDatabase, emptyTables } from "./test-database.ts";

interface Note extends StoredRecord {
  readonly n: number;
}
export const notes = defineCollection<Note>({
  name: "notes",
  noun: "Note",
  columns: { n: { type: "integer", read: (note) => note.n } },
});

/** Fixtures of one test file: its own database, emptied before each test, and things to close after it. */
export function useDatabase() {
  const database = { connectionString: "", admin: new pg.Client() };
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    database.connectionString = await createTestDatabase(inject("pgUrl"));
    database.admin = new pg.Client({ connectionString: database.connectionString });
    await database.admin.connect();
    return () => database.admin.end();
  });
  beforeEach(() => emptyTables(database.connectionString));
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return {
    database,
    /** Runs after the test, in reverse order. */
    closeLater: (close: () => unknown): void => void closing.push(close),
    async openStorage(options: PgStorageOptions = { connectionString: database.connectionString }) {
      const storage = pgStorage(options);
      closing.push(() => storage.close());
      await storage.open([notes]);
      return storage;
    },
    async connect(connectionString = database.connectionString): Promise<pg.Client> {
      const client = new pg.Client({ connectionString });
      await client.connect();
      closing.push(() => client.end());
      return client;
    },
    /** Ends the connections of one purpose, as a failing network or a restart would; resolves when the server has ended them. */
    terminate: (purpose: string) =>
      database.admin.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
          where datname = current_database() and application_name = $1`,
        [`signalbox ${purpose}`],
      ),
  };
}

export const insert = (storage: Pick<Storage, "write">, id: string): Promise<void> =>
  storage.write((tx) => tx.collection(notes).insert({ id, n: 0 }));
export const idsOf = (storage: Storage): Promise<string[]> =>
  storage.read(async (tx) => (await tx.collection(notes).list()).map(({ id }) => id));
