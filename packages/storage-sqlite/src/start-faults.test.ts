import { closeSync, copyFileSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCollection, StorageError, type StoredRecord } from "@signalbox/core/storage";
import { afterAll, expect, test } from "vitest";
import { betterSqliteLike } from "../test/better-sqlite-like.ts";
import { sqliteFaultOf } from "./faults.ts";
import { sqliteStorage } from "./index.ts";

const notes = defineCollection<StoredRecord>({ name: "notes", noun: "Note" });
const folder = mkdtempSync(join(tmpdir(), "signalbox-sqlite-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function madeFile(name: string): Promise<string> {
  const filename = join(folder, name);
  const storage = sqliteStorage({ filename });
  await storage.open([notes]);
  await storage.close();
  return filename;
}

const startErrorOf = async (filename: string): Promise<unknown> => {
  const storage = sqliteStorage({ filename });
  const error = await storage.open([notes]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await storage.close();
  return error;
};

test("a file that is no database is reported as damaged, with its name, in one sentence", async () => {
  const filename = join(folder, "text.db");
  writeFileSync(filename, "This is no database. ".repeat(500));
  const error = await startErrorOf(filename);
  expect(error).toBeInstanceOf(StorageError);
  expect(error).toMatchObject({
    fault: "damaged",
    description: `The storage cannot be opened: the SQLite file ${filename} is damaged (file is not a database).`,
  });
});

test("a file with a damaged page is reported as damaged", async () => {
  const filename = await madeFile("page.db");
  const file = openSync(filename, "r+");
  // Overwrites the first page except for the file header.
  writeSync(file, Buffer.alloc(4096 - 100, 171), 0, 4096 - 100, 100);
  closeSync(file);
  expect(await startErrorOf(filename)).toMatchObject({ fault: "damaged", message: expect.stringContaining(filename) });
});

test("a file with a broken view of the host is opened, and opened again with further collections", async () => {
  const filename = join(folder, "view.db");
  const host = new DatabaseSync(filename);
  host.exec("create table gone (a); create view broken as select a from gone; drop table gone");
  host.close();
  for (const collections of [[notes], [notes, defineCollection<StoredRecord>({ name: "later", noun: "Later" })]]) {
    const storage = sqliteStorage({ filename });
    await expect(storage.open(collections)).resolves.toBeUndefined();
    await storage.write((tx) => tx.collection(collections.at(-1) ?? notes).insert({ id: "a" }));
    await storage.close();
  }
});

test("a file that cannot be written is reported as read-only", async () => {
  const filename = await madeFile("fixed.db");
  expect(await startErrorOf(`file:${filename}?mode=ro`)).toMatchObject({ fault: "read-only" });
});

const endTransaction = (database: DatabaseSync): void => {
  if (database.isTransaction) database.exec("rollback");
};

test.each([
  { where: "on a file with tables", open: () => madeFile("claimed.db"), harm: () => undefined },
  {
    where: "on a new file, ending the transaction",
    open: (at: number) => join(folder, `${at}.db`),
    harm: endTransaction,
  },
])(
  "a disk that is full at any statement $where fails the start with that reason, and leaves the file to the next one",
  async ({ open, harm }) => {
    for (let at = 1, isOpen = false; !isOpen; at++) {
      const filename = await open(at);
      let count = Number.NEGATIVE_INFINITY;
      const interfere = (_: string, database: DatabaseSync): void => {
        count += 1;
        if (count !== at) return;
        harm(database);
        throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
      };
      const broken = sqliteStorage({ database: betterSqliteLike(filename, { interfere }), durability: "process" });
      count = 0;
      const error = await broken.open([notes]).catch((reason: unknown) => reason);
      count = Number.NEGATIVE_INFINITY;
      await broken.close();
      isOpen = error === undefined;
      if (!isOpen) expect(error, `statement ${at}`).toMatchObject({ fault: "full" });
      const next = sqliteStorage({ filename, durability: "process" });
      await expect(next.open([notes]), `after statement ${at}`).resolves.toBeUndefined();
      await next.close();
    }
  },
);

test.each([
  [join("nowhere", "a.db"), `There is no folder ${join(folder, "nowhere")}: make it, or name another one.`],
  ["", "It is a folder: name a file in it."],
  [
    join("text.db", "a.db"),
    `Check that this process may read and write the file, and make files in the folder ${join(folder, "text.db")}.`,
  ],
])("a path that cannot be opened, %s, is reported as unreachable, with what to do", async (name, advice) => {
  writeFileSync(join(folder, "text.db"), "");
  const filename = join(folder, name);
  const description = `The storage cannot be opened: the SQLite file ${filename} cannot be reached (unable to open database file). ${advice}`;
  expect(await startErrorOf(filename)).toMatchObject({ fault: "gone", description });
});

test("tables of a newer release are left alone, and reported as such", async () => {
  const filename = await madeFile("newer.db");
  const database = new DatabaseSync(filename);
  database.exec("insert into sb_migrations (name, timestamp) values ('9999-later', '2099-01-01')");
  database.close();
  expect(await startErrorOf(filename)).toMatchObject({
    code: "storage",
    description:
      "The storage cannot be opened: its tables were made by a newer release of Signalbox (9999-later). Install that release, or open another database.",
  });
});

test("writes to a file that was removed or replaced are refused until it is back", async () => {
  const filename = await madeFile("moved.db");
  const storage = sqliteStorage({ filename });
  await storage.open([notes]);
  const insert = (id: string) => storage.write((tx) => tx.collection(notes).insert({ id }));
  await insert("a");
  renameSync(filename, `${filename}.away`);
  await expect(insert("b")).rejects.toMatchObject({ fault: "gone" });
  copyFileSync(`${filename}.away`, filename);
  await expect(insert("c")).rejects.toMatchObject({ fault: "gone" });
  renameSync(`${filename}.away`, filename);
  await insert("d");
  const stored = await storage.read((tx) => tx.collection(notes).list());
  expect(stored.map(({ id }) => id)).toEqual(["a", "d"]);
  await storage.close();
});

test.each([
  [{ errcode: 13 }, "full"],
  [{ errcode: 8 }, "read-only"],
  [{ errcode: 1032 }, "read-only"],
  [{ errcode: 10 }, "gone"],
  [{ errcode: 522 }, "gone"],
  [{ errcode: 14 }, "gone"],
  [{ errcode: 11 }, "damaged"],
  [{ errcode: 267 }, "damaged"],
  [{ errcode: 26 }, "damaged"],
  [{ errcode: 5 }, "locked"],
  [{ code: "SQLITE_FULL" }, "full"],
  [{ code: "SQLITE_READONLY_DBMOVED" }, "read-only"],
  [{ code: "SQLITE_IOERR_SHORT_READ" }, "gone"],
  [{ code: "SQLITE_CORRUPT_VTAB" }, "damaged"],
  [{ errcode: 1 }, undefined],
  [{ errcode: 2067 }, undefined],
  [{ code: "SQLITE_CONSTRAINT_UNIQUE" }, undefined],
  [new Error("something else"), undefined],
  [undefined, undefined],
])("%o is a fault of the file: %s", (error, fault) => {
  expect(sqliteFaultOf(error)).toBe(fault);
});
