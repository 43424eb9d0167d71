import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createSignalbox, memoryBlobStore } from "@signalbox/core";
import type { SignalboxWith } from "@signalbox/core/plugin";
import { pgStorage } from "@signalbox/storage-pg";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

const apart = fileURLToPath(new URL("../../hosts-apart/", import.meta.url));
const isInstalled = existsSync(join(apart, "node_modules"));
const load = async (name: string) =>
  (await import(pathToFileURL(createRequire(join(apart, "_")).resolve(name)).href)) as Record<string, never>;

type Work = (handle: unknown) => Promise<void>;
/** A library that runs work in a transaction: committed when the work succeeds, rolled back when it throws. */
interface Library {
  transaction(work: Work): Promise<unknown>;
  close(): Promise<unknown>;
}

async function knexOf(connection: string): Promise<Library> {
  const { default: knex } = (await load("knex")) as unknown as { default: (options: object) => KnexLike };
  const db = knex({ client: "pg", connection });
  const transaction = (work: Work) => db.transaction(async (trx) => work(await trx.client.acquireConnection()));
  return { transaction, close: () => db.destroy() };
}

interface KnexLike {
  transaction(work: (trx: { client: { acquireConnection(): Promise<unknown> } }) => Promise<void>): Promise<unknown>;
  destroy(): Promise<void>;
}

async function drizzleOf(connectionString: string): Promise<Library> {
  const pool = new pg.Pool({ connectionString });
  const { drizzle } = (await load("drizzle-orm/node-postgres")) as unknown as { drizzle: (pool: pg.Pool) => Library };
  const db = drizzle(pool);
  return { transaction: (work) => db.transaction(work), close: () => pool.end() };
}

interface TypeOrm {
  DataSource: new (options: object) => Library & { initialize(): Promise<unknown>; destroy(): Promise<void> };
}

async function typeormOf(url: string): Promise<Library> {
  const { DataSource } = (await load("typeorm")) as unknown as TypeOrm;
  const source = new DataSource({ type: "postgres", url, driver: pg });
  await source.initialize();
  return { transaction: (work) => source.transaction(work), close: () => source.destroy() };
}

interface PostgresJs {
  begin(work: Work): Promise<unknown>;
  end(): Promise<void>;
}

test.skipIf(!isInstalled)("a transaction of postgres.js is refused with advice", async () => {
  const { default: connect } = (await load("postgres")) as unknown as { default: (url: string) => PostgresJs };
  const url = inject("pgUrl");
  const sql = connect(url);
  const storage = pgStorage({ connectionString: url, schema: "host_postgres_js" });
  const signalbox = createSignalbox({
    storage,
    blobs: memoryBlobStore(),
    secretKey: "only for this test, long enough",
  });
  await signalbox.start();
  const begun = sql.begin(async (handle) => {
    await signalbox.with(handle).api.createTag({ id: "never", title: "Never" });
  });
  await expect(begun).rejects.toThrow("begin the transaction on a `pg` client, or call after its commit");
  expect((await signalbox.api.getTags()).rows.map(({ id }) => id)).not.toContain("never");
  await signalbox.stop();
  await sql.end();
});

// Their packages are installed by `npm run soak -- hosts`.
describe.skipIf(!isInstalled).each([
  ["Knex", knexOf],
  ["Drizzle", drizzleOf],
  ["TypeORM", typeormOf],
] as const)("in a transaction of %s", (_name, libraryOf) => {
  let library: Library;
  let signalbox: SignalboxWith<readonly []>;
  beforeAll(async () => {
    const url = inject("pgUrl");
    library = await libraryOf(url);
    const schema = `host_${_name.toLowerCase()}`;
    const storage = pgStorage({ connectionString: url, schema });
    signalbox = createSignalbox({ storage, blobs: memoryBlobStore(), secretKey: "only for this test, long enough" });
    await signalbox.start();
  });
  afterAll(async () => {
    await signalbox.stop();
    await library.close();
  });
  const ids = async () => (await signalbox.api.getTags()).rows.map(({ id }) => id);

  test("a rollback reverts the command", async () => {
    const cancelled = library.transaction(async (handle) => {
      await signalbox.with(handle).api.createTag({ id: "gone", title: "Gone" });
      throw new Error("cancelled");
    });
    await expect(cancelled).rejects.toThrow("cancelled");
    expect(await ids()).not.toContain("gone");
  });

  test("a commit keeps the command", async () => {
    await library.transaction(async (handle) => {
      await signalbox.with(handle).api.createTag({ id: "kept", title: "Kept" });
    });
    await expect.poll(ids).toContain("kept");
  });
});
