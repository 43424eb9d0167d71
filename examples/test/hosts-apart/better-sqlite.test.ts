import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createSignalbox, memoryBlobStore } from "@signalbox/core";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { Kysely, SqliteDialect } from "kysely";
import { afterAll, describe, expect, test } from "vitest";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const isInstalled = existsSync(join(apart, "node_modules"));
const { resolve } = createRequire(join(apart, "_"));
const load = async (name: string) => (await import(pathToFileURL(resolve(name)).href)) as Record<string, unknown>;
const folder = mkdtempSync(join(tmpdir(), "signalbox-better-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The part of a better-sqlite3 handle that a host needs for its own transaction. */
interface Database {
  exec(sql: string): unknown;
  close(): unknown;
}
type Work = (handle: unknown) => Promise<void>;
/** Runs work in a transaction of a database, and rolls it back when the work fails. */
type Transaction = (database: Database, work: Work) => Promise<void>;

async function byHand(database: Database, work: Work, handle: unknown = database): Promise<void> {
  database.exec("begin immediate");
  try {
    await work(handle);
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

async function byDrizzle(database: Database, work: Work): Promise<void> {
  const { drizzle } = (await load("drizzle-orm/better-sqlite3")) as { drizzle: (database: Database) => unknown };
  await byHand(database, work, drizzle(database));
}

const byKysely: Transaction = (database, work) =>
  new Kysely({ dialect: new SqliteDialect({ database: database as never }) }).transaction().execute(work);

// Its package is installed by `npm run soak -- hosts`.
describe.skipIf(!isInstalled).each([
  ["a file that both open", "itself", byHand],
  ["the handle of the host", "itself", byHand],
  ["a file that both open", "Drizzle", byDrizzle],
  ["a file that both open", "Kysely", byKysely],
] as const)("on %s, in a transaction of better-sqlite3 by %s", (kind, name, transaction) => {
  test("a rollback reverts the command, and a commit keeps it", async () => {
    const { default: open } = (await load("better-sqlite3")) as { default: new (file: string) => Database };
    const filename = join(folder, `${kind.length}-${name}.sqlite`);
    const database = new open(filename);
    const storage = sqliteStorage(kind === "a file that both open" ? { filename } : { database: database as never });
    const secretKey = "only for this test, long enough";
    const signalbox = createSignalbox({ storage, blobs: memoryBlobStore(), secretKey });
    await signalbox.start();
    const ids = async () => (await signalbox.api.getTags()).rows.map(({ id }) => id);
    const cancelled = transaction(database, async (handle) => {
      await signalbox.with(handle).api.createTag({ id: "gone", title: "Gone" });
      throw new Error("cancelled");
    });
    await expect(cancelled).rejects.toThrow("cancelled");
    await transaction(database, async (handle) => {
      await signalbox.with(handle).api.createTag({ id: "kept", title: "Kept" });
    });
    await expect.poll(ids).toContain("kept");
    expect(await ids()).not.toContain("gone");
    await signalbox.stop();
    database.close();
  });
});
