/** A dedicated PostgreSQL for the servers of a run. */
import { startPostgres } from "../../packages/storage-pg/test/embedded-postgres.ts";
import { createTestDatabase } from "../../packages/storage-pg/test/test-database.ts";

export interface Databases {
  /** Connection string of a new, empty database. */
  database(): Promise<string>;
}

/** Runs work with databases of a dedicated PostgreSQL; starts none unless wanted. */
export async function withPostgres(wanted: boolean, work: (databases?: Databases) => Promise<void>): Promise<void> {
  if (!wanted) return work();
  const server = await startPostgres({ fsync: false });
  try {
    await work({ database: () => createTestDatabase(server.url) });
  } finally {
    await server.stop();
  }
}
