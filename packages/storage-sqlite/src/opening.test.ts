import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CollectionDefinition, defineCollection, equal, type StoredRecord } from "@signalbox/core/storage";
import { afterAll, expect, test } from "vitest";
import { countStatements } from "../test/counted.ts";
import { sqliteStorage } from "./index.ts";

interface Thing extends StoredRecord {
  readonly title: string;
  readonly tags: readonly string[];
}
const things = (name: string) =>
  defineCollection<Thing>({
    ...{ name, noun: "Thing" },
    columns: { title: { type: "text", read: ({ title }) => title } },
    terms: { tags: ({ tags }) => tags },
    text: { words: ({ title }) => title.split(" ") },
  });
const [first, second] = [things("first"), things("second")];
const thing: Thing = { id: "a", title: "a lamp", tags: ["x"] };

const folder = mkdtempSync(join(tmpdir(), "signalbox-opening-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tablesOf = (filename: string): unknown[] => {
  using database = new DatabaseSync(filename);
  return database
    .prepare("select name from sqlite_schema where type = 'table' and name in ('sb_first', 'sb_second') order by name")
    .all()
    .map(({ name }) => name);
};

test("all tables of a new database are created, or none", async () => {
  const filename = join(folder, "broken.db");
  const empty = sqliteStorage({ filename });
  await empty.open([]);
  await empty.close();
  const run = (statement: string): void => {
    using database = new DatabaseSync(filename);
    database.exec(statement);
  };
  run("create index sb_second on sb_work (id)");
  const failing = sqliteStorage({ filename });
  await expect(failing.open([first, second])).rejects.toThrow("there is already an index named sb_second");
  await failing.close();
  expect(tablesOf(filename)).toEqual([]);
  run("drop index sb_second");
  const storage = sqliteStorage({ filename });
  await storage.open([first, second]);
  expect(tablesOf(filename)).toEqual(["sb_first", "sb_second"]);
  await storage.write((tx) => tx.collection(second).insert(thing));
  expect(await storage.verifyIndexes()).toEqual([]);
  await storage.close();
});

test("an up-to-date database is opened without reading its tables", async () => {
  const filename = join(folder, "known.db");
  const open = async (collections: readonly ReturnType<typeof things>[]): Promise<number> => {
    const storage = sqliteStorage({ filename });
    using counter = countStatements();
    await storage.open(collections);
    const { count } = counter;
    await storage.close();
    return count;
  };
  const all = Array.from({ length: 20 }, (_, index) => things(`things_${index}`));
  await open([]);
  const none = await open([]);
  await open(all);
  expect(await open(all)).toBe(none);
});

test("a column that is no longer declared is removed with its index, and no record is indexed again", async () => {
  const filename = join(folder, "lost.db");
  interface Box extends StoredRecord {
    readonly size: number;
  }
  const size = { type: "real", read: (box: Box) => box.size } as const;
  type Columns = NonNullable<CollectionDefinition<Box>["columns"]>;
  const boxes = (columns: Columns) => defineCollection<Box>({ name: "boxes", noun: "Box", columns });
  const indexes = (): unknown[] => {
    using database = new DatabaseSync(filename);
    return database.prepare("select name from sqlite_schema where name like 'sb\\_boxes\\_%\\_idx' escape '\\'").all();
  };
  const open = async (columns: Columns) => {
    const storage = sqliteStorage({ filename });
    using counter = countStatements();
    await storage.open([boxes(columns)]);
    return { storage, rows: counter.take().rows };
  };
  const [before, width] = [await open({ size, width: size }), { width: size }];
  for (let index = 0; index < 10; index += 1)
    await before.storage.write((tx) =>
      tx.collection(boxes({ size, width: size })).insert({ id: `b${index}`, size: index }),
    );
  await before.storage.close();

  const after = await open(width);
  expect(after.rows).toBeLessThan(10);
  expect(await after.storage.verifyIndexes()).toEqual([]);
  await after.storage.write((tx) => tx.collection(boxes(width)).insert({ id: "new", size: 5 }));
  await after.storage.close();
  expect(indexes()).toEqual([{ name: "sb_boxes_width_idx" }]);

  const again = await open({ size, width: size });
  const { rows } = await again.storage.read((tx) => tx.collection(boxes({ size, width: size })).find(equal("size", 5)));
  expect(rows.map(({ id }) => id).sort()).toEqual(["b5", "new"]);
  await again.storage.close();
});

test("no collection uses the name of a table that belongs to no collection", async () => {
  const filename = join(folder, "fixed.db");
  const empty = sqliteStorage({ filename });
  await empty.open([]);
  using database = new DatabaseSync(filename);
  const rows = database
    .prepare("select name from sqlite_schema where type = 'table' and name like 'sb\\_%' escape '\\'")
    .all();
  await empty.close();
  const names = rows.map(({ name }) => String(name).slice("sb_".length));
  expect(names).toEqual(expect.arrayContaining(["database", "history_chunks", "migrations_lock", "owner"]));
  for (const name of names) {
    const storage = sqliteStorage({ filename });
    await expect(storage.open([{ name, noun: "X" }])).rejects.toThrow(/cannot be named/);
    await storage.close();
  }
});
