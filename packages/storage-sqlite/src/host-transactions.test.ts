import { Kysely, SqliteDialect } from "kysely";
import { expect, test } from "vitest";
import { betterSqliteLike } from "../test/better-sqlite-like.ts";
import { closing, idsOf, insert, newFile, notes, openHost, openStorage, useFiles } from "../test/note-storage.ts";

useFiles();

test("a host's transaction includes our writes, and drops them with its rollback", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  const host = openHost(filename);
  for (const [id, end] of [
    ["kept", "commit"],
    ["dropped", "rollback"],
  ] as const) {
    host.exec("begin immediate");
    const adopted = storage.adopt(host);
    await insert(adopted, id);
    await expect(insert(adopted, id)).rejects.toThrow(/exists already/);
    expect(await adopted.read(async (tx) => (await tx.collection(notes).get(id))?.title)).toBe(`Note ${id}`);
    host.exec(end);
  }
  expect(await idsOf(storage)).toEqual(["kept"]);
  expect(await storage.verifyIndexes()).toEqual([]);
});

test("failed work inside a host's transaction leaves no trace and the transaction usable", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  const host = openHost(filename);
  host.exec("create table mine (n integer); begin immediate; insert into mine values (1)");
  const adopted = storage.adopt(host);
  const failed = adopted.write(async (tx) => {
    await tx.collection(notes).insert({ id: "a", title: "A" });
    throw new Error("stop");
  });
  await expect(failed).rejects.toThrow("stop");
  await Promise.all([insert(adopted, "b"), insert(adopted, "c")]);
  host.exec("commit");
  expect(await idsOf(storage)).toEqual(["b", "c"]);
  expect(host.prepare("select count(*) as n from mine").get()?.["n"]).toBe(1);
});

test("only an open transaction on the same file is adopted", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  const idle = openHost(filename);
  expect(() => storage.adopt(idle)).toThrow(TypeError);
  const stranger = openHost(newFile());
  stranger.exec("begin");
  expect(() => storage.adopt(stranger)).toThrow(TypeError);
});

test("a Kysely transaction of the host is adopted with any plugins; one on another database is refused", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  const kyselyOn = (file: string) => {
    const db = new Kysely<object>({ dialect: new SqliteDialect({ database: betterSqliteLike(file) }) });
    closing.push(() => db.destroy());
    return db;
  };
  const db = kyselyOn(filename);
  await db.transaction().execute((trx) => insert(storage.adopt(trx), "a"));
  await expect(
    db.transaction().execute(async (trx) => {
      await insert(storage.adopt(trx), "b");
      throw new Error("stop");
    }),
  ).rejects.toThrow("stop");
  expect(await idsOf(storage)).toEqual(["a"]);
  expect(() => storage.adopt(db)).toThrow(TypeError);
  const elsewhere = kyselyOn(newFile()).transaction();
  await expect(elsewhere.execute((trx) => insert(storage.adopt(trx), "c"))).rejects.toThrow(TypeError);
});

test("a handle of the host on a file gets separate connections beside it", async () => {
  for (const host of [openHost(newFile()), betterSqliteLike(newFile())]) {
    const storage = await openStorage({ database: host });
    await insert(storage, "a");
    expect(host.prepare("select count(*) as n from sb_notes").all([] as never)).toMatchObject([{ n: 1 }]);
    await storage.close();
    expect(host.prepare("select 1 as one").all([] as never)).toMatchObject([{ one: 1 }]);
  }
});

test("a database in memory is shared with the host, whose open transaction is waited for", async () => {
  const host = openHost(":memory:");
  const storage = await openStorage({ database: host });
  host.exec("create table mine (n integer); begin; insert into mine values (1)");
  const waiting = insert(storage, "ours");
  await insert(storage.adopt(host), "joined");
  host.exec("commit");
  await waiting;
  expect(await idsOf(storage)).toEqual(["joined", "ours"]);
  await storage.close();
  expect(host.isOpen).toBe(true);
});

test("a write waits for a lock of the host without blocking the event loop", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  const host = openHost(filename);
  host.exec("begin immediate");
  const waiting = insert(storage, "a");
  // Reached only while the write waits outside of SQLite: a wait inside it would block here.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(await idsOf(storage)).toEqual([]);
  host.exec("commit");
  await waiting;
  expect(await idsOf(storage)).toEqual(["a"]);
});

test("a full disk that ends the host's transaction is reported, and nothing that follows is stored on its own", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  let isFull = false;
  const host = betterSqliteLike(filename, {
    interfere(sql, database) {
      if (!isFull || !sql.startsWith("insert into")) return;
      isFull = false;
      database.exec("rollback");
      throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    },
  });
  closing.push(() => host.close());
  const begin = () => host.prepare("begin immediate").run([]);
  begin();
  const adopted = storage.adopt(host);
  isFull = true;
  await expect(insert(adopted, "a")).rejects.toMatchObject({ fault: "full" });
  await expect(insert(adopted, "b")).rejects.toThrow(TypeError);
  begin();
  isFull = true;
  const regardless = storage.adopt(host).write(async (tx) => {
    await tx
      .collection(notes)
      .insert({ id: "c", title: "C" })
      .catch(() => undefined);
    await tx.collection(notes).insert({ id: "d", title: "D" });
  });
  await expect(regardless).rejects.toMatchObject({ fault: "gone" });
  expect(await idsOf(storage)).toEqual([]);
});

test("a transaction that the host has ended accepts no further work", async () => {
  const filename = newFile();
  const storage = await openStorage({ filename });
  const host = openHost(filename);
  host.exec("begin immediate");
  const adopted = storage.adopt(host);
  host.exec("commit");
  await expect(insert(adopted, "late")).rejects.toThrow(/no transaction open/);
  expect(await idsOf(storage)).toEqual([]);
});
