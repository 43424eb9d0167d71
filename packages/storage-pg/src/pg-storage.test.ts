import {
  analyseText,
  ConflictError,
  defineCollection,
  type StoredRecord,
  separateEntries,
  type WriteTx,
} from "@signalbox/core/storage";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { idsOf, insert, notes, useDatabase } from "../test/fixtures.ts";
import { createTestDatabase } from "../test/test-database.ts";
import { pgStorage } from "./index.ts";

const { database, closeLater, openStorage, connect, terminate } = useDatabase();

/** A bucket that is no whole number is refused by the server itself. */
const failingStatement = (tx: WriteTx): Promise<void> =>
  tx.timeline.put({ server: "s", system: "hourly" }, { epoch_div: 1.5, date: 90, count: 1, totals: {} });

test("an update fails with a conflict when the record changed since the transaction read it", async () => {
  const storage = await openStorage();
  await insert(storage, "a");
  const read = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  const late = storage.write(async (tx) => {
    await tx.collection(notes).get("a");
    read.resolve();
    await moved.promise;
    await tx.collection(notes).update("a", (old) => ({ ...old, n: old.n + 1 }));
  });
  await read.promise;
  await storage.write((tx) => tx.collection(notes).update("a", (old) => ({ ...old, n: 10 })));
  moved.resolve();
  await expect(late).rejects.toThrow(ConflictError);
  expect(await storage.read((tx) => tx.collection(notes).get("a"))).toEqual({ id: "a", n: 10 });
});

test("PostgreSQL's storage has no blobs, because other nodes would not find the blobs of one node", async () => {
  expect((await openStorage()).blobs).toBeUndefined();
});

test("a deadlock is a conflict for one of the two, and the other one wins", async () => {
  const storage = await openStorage();
  const ready = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const locking = (first: string, second: string, mine: 0 | 1) =>
    storage.write(async (tx) => {
      await tx.lock(first);
      ready[mine].resolve();
      await ready[mine === 0 ? 1 : 0].promise;
      await tx.lock(second);
    });
  const outcomes = await Promise.allSettled([locking("x", "y", 0), locking("y", "x", 1)]);
  const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(reasons).toHaveLength(1);
  expect(reasons[0]).toBeInstanceOf(ConflictError);
});

test("a write whose work continued after a failed statement is refused, not silently rolled back", async () => {
  const storage = await openStorage();
  const write = storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: "a", n: 0 });
    await failingStatement(tx).catch(() => undefined);
  });
  await expect(write).rejects.toThrow(/rolled back/);
  expect(await idsOf(storage)).toEqual([]);
});

test("several processes open one empty database at once", async () => {
  const url = await createTestDatabase(inject("pgUrl"));
  const storages = await Promise.all([1, 2, 3].map(() => openStorage({ connectionString: url })));
  await Promise.all(storages.map((storage, index) => insert(storage, `n${index}`)));
  for (const storage of storages) expect((await idsOf(storage)).sort()).toEqual(["n0", "n1", "n2"]);
});

test("a schema of its own keeps a storage apart", async () => {
  const storage = await openStorage({ connectionString: database.connectionString, schema: "apart" });
  await insert(storage, "a");
  expect(await idsOf(await openStorage())).toEqual([]);
  expect(() => pgStorage({ connectionString: database.connectionString, schema: 'a"b' })).toThrow(TypeError);
});

test("a host's transaction includes our writes, and drops them with its rollback", async () => {
  const storage = await openStorage();
  const client = await connect();
  for (const [id, end] of [
    ["kept", "commit"],
    ["dropped", "rollback"],
  ] as const) {
    await client.query("begin");
    const adopted = storage.adopt(client);
    await insert(adopted, id);
    await expect(insert(adopted, id)).rejects.toThrow(/exists already/);
    await Promise.all([adopted.write((tx) => tx.counter(id)), adopted.read((tx) => tx.collection(notes).get(id))]);
    await client.query(end);
  }
  expect(await idsOf(storage)).toEqual(["kept"]);
});

test("failed work inside a host's transaction leaves it usable, a failed statement included", async () => {
  const storage = await openStorage();
  const client = await connect();
  await client.query("begin");
  const adopted = storage.adopt(client);
  const failed = adopted.write(async (tx) => {
    await tx.collection(notes).insert({ id: "a", n: 0 });
    await failingStatement(tx);
  });
  await expect(failed).rejects.toThrow();
  await insert(adopted, "b");
  await client.query("commit");
  expect(await idsOf(storage)).toEqual(["b"]);
});

test("only an open transaction on the same database is adopted", async () => {
  const storage = await openStorage();
  const client = await connect();
  expect(() => storage.adopt(client)).toThrow(TypeError);
  const pool = new pg.Pool({ connectionString: database.connectionString });
  closeLater(() => pool.end());
  expect(() => storage.adopt(pool)).toThrow(TypeError);
  const stranger = await connect(await createTestDatabase(inject("pgUrl")));
  await stranger.query("begin");
  await expect(insert(storage.adopt(stranger), "a")).rejects.toThrow(TypeError);
  await stranger.query("select 1");
});

test("a Kysely transaction of the host is adopted", async () => {
  const storage = await openStorage();
  const db = new Kysely<object>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.connectionString }) }),
  });
  closeLater(() => db.destroy());
  await db.transaction().execute((trx) => insert(storage.adopt(trx), "a"));
  const stopped = db.transaction().execute(async (trx) => {
    await insert(storage.adopt(trx), "b");
    throw new Error("stop");
  });
  await expect(stopped).rejects.toThrow("stop");
  expect(await idsOf(storage)).toEqual(["a"]);
});

test("a pool of the host is used and never ended, with any parsers of the host", async () => {
  const types = { getTypeParser: () => () => "unreadable" } as never;
  const pool = new pg.Pool({ connectionString: database.connectionString, types });
  closeLater(() => pool.end());
  const storage = await openStorage({ pool });
  await insert(storage, "a");
  const elected = Promise.withResolvers<void>();
  storage.coordination.lead("office", async () => elected.resolve());
  await elected.promise;
  expect(await storage.write((tx) => tx.counter("c"))).toBe(1);
  await storage.close();
  expect((await pool.query("select 1 as one")).rowCount).toBe(1);
});

test("connections that drop, idle or in use, fail their own statements and nothing else", async () => {
  const pool = new pg.Pool({ connectionString: database.connectionString, application_name: "signalbox pool" });
  closeLater(() => pool.end());
  const storage = await openStorage({ pool });
  await insert(storage, "a");
  await terminate("pool");
  const cut = storage.write(async (tx) => {
    await tx.collection(notes).insert({ id: "b", n: 0 });
    await terminate("pool");
    await tx.collection(notes).insert({ id: "c", n: 0 });
  });
  await expect(cut).rejects.toThrow();
  expect(await idsOf(storage)).toEqual(["a"]);
});

test("listeners get dependent commits in their order, also when many connections commit at once", async () => {
  const storage = await openStorage();
  await insert(storage, "a");
  const seen: number[] = [];
  const bump = (): Promise<void> =>
    storage.write(async (tx) => {
      await tx.lock("a");
      const { n } = await tx.collection(notes).update("a", (old) => ({ ...old, n: old.n + 1 }));
      tx.afterCommit(() => seen.push(n));
    });
  await Promise.all(Array.from({ length: 200 }, bump));
  expect(seen).toEqual(Array.from({ length: 200 }, (_unused, index) => index + 1));
});

test("the words of a text equal a rebuild from the documents, including places and gaps", async () => {
  const texts = defineCollection<StoredRecord & { readonly body: string }>({
    name: "texts",
    noun: "Text",
    text: { body: ({ body }) => separateEntries(body.split("/").map((entry) => analyseText(entry))) },
  });
  const storage = pgStorage({ connectionString: database.connectionString });
  closeLater(() => storage.close());
  await storage.open([texts]);
  const bodies = ["", "lamps reboot lamps", "one/two/three", "/first", "東京 é 2.5.1 _", `${"again ".repeat(300)}end`];
  await storage.write(async (tx) => {
    for (const [n, body] of bodies.entries()) await tx.collection(texts).insert({ id: `t${n}`, body });
  });
  expect(await storage.verifyIndexes()).toEqual([]);
  await database.admin.query("update signalbox.sb_texts set words = $1 where id = 't1'", ["'body/lamp':2"]);
  const expected = expect.stringMatching(/^'\+\w+' '\+\w+' 'body\/lamp':1,3 'body\/reboot':2$/);
  expect(await storage.verifyIndexes()).toEqual([
    { collection: "texts", id: "t1", index: "words", stored: "'body/lamp':2", expected },
  ]);
});

test("terms may contain characters of the index's syntax", async () => {
  const odd = ["'", "\\", "a'b\\c", "&|!()<->:*", "", "a b", "A", "a=b", "é 東京", "x".repeat(499)];
  const tagged = defineCollection<StoredRecord & { readonly tags: readonly string[] }>({
    name: "tagged",
    noun: "Tagged",
    terms: { tags: ({ tags }) => tags, "odd field": ({ tags }) => tags.slice(0, 1) },
    text: { body: () => ["word"] },
  });
  const storage = pgStorage({ connectionString: database.connectionString });
  closeLater(() => storage.close());
  await storage.open([tagged]);
  await storage.write(async (tx) => {
    for (const [n, tag] of odd.entries()) await tx.collection(tagged).insert({ id: `t${n}`, tags: [tag] });
  });
  expect(await storage.verifyIndexes()).toEqual([]);
  for (const [n, tag] of odd.entries())
    for (const field of ["tags", "odd field"]) {
      const where = { kind: "term", field, words: [tag] } as const;
      const { rows } = await storage.read((tx) => tx.collection(tagged).find(where));
      expect(rows.map(({ id }) => id)).toEqual([`t${n}`]);
    }
});

test("the plan that a search forces does not outlive it in a transaction of the host", async () => {
  const texts = defineCollection<StoredRecord>({ name: "plans", noun: "Plan", text: { body: () => ["word"] } });
  const storage = pgStorage({ connectionString: database.connectionString });
  closeLater(() => storage.close());
  await storage.open([texts]);
  const host = new pg.Client({ connectionString: database.connectionString });
  await host.connect();
  closeLater(() => host.end());
  await host.query("begin");
  await host.query("set local work_mem = '7MB'");
  const where = { kind: "text", field: "body", phrases: [["word"]] } as const;
  await storage.adopt(host).read((tx) => tx.collection(texts).find(where, { limit: 1 }));
  const settings =
    "select current_setting('work_mem') as m, current_setting('enable_seqscan') as s, current_setting('enable_indexscan') as i";
  expect((await host.query(settings)).rows).toEqual([{ m: "7MB", s: "on", i: "on" }]);
  await host.query("rollback");
});

test("the indexes equal a rebuild from the documents", async () => {
  const storage = await openStorage();
  await insert(storage, "a");
  expect(await storage.verifyIndexes()).toEqual([]);
  await database.admin.query("update signalbox.sb_notes set c_n = 5");
  expect(await storage.verifyIndexes()).toEqual([
    { collection: "notes", id: "a", index: "c_n", stored: 5, expected: 0 },
  ]);
});

test("no collection uses the name of a table that belongs to no collection", async () => {
  const connectionString = await createTestDatabase(inject("pgUrl"));
  const empty = pgStorage({ connectionString });
  await empty.open([]);
  const client = await connect(connectionString);
  const { rows } = await client.query(
    "select tablename from pg_tables where schemaname = 'signalbox' and tablename like 'sb\\_%'",
  );
  await empty.close();
  const names = rows.map(({ tablename }) => String(tablename).slice("sb_".length));
  expect(names).toEqual(expect.arrayContaining(["changes", "mail", "nodes", "offices", "rates"]));
  for (const name of names) {
    const storage = pgStorage({ connectionString });
    await expect(storage.open([{ name, noun: "X" }])).rejects.toThrow(/cannot be named/);
    await storage.close();
  }
});
