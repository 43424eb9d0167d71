import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { type SqliteStorageOptions, sqliteStorage } from "./index.ts";

test.each<[unknown, string]>([
  [undefined, "sqliteStorage: the options must be an object"],
  ["data.db", "sqliteStorage: the options must be an object"],
  [{}, "sqliteStorage: give either `filename` or `database`"],
  [{ filename: undefined }, "sqliteStorage: filename is undefined"],
  [{ filename: "" }, "sqliteStorage: filename must be a text that is not empty"],
  [{ database: undefined }, "sqliteStorage: database is undefined"],
  [{ filename: ":memory:", database: new DatabaseSync(":memory:") }, "give either `filename` or `database`"],
  [
    { file: "data.db" },
    'sqliteStorage: there is no option "file"; it takes filename, database, durability, memory, backups, clock, log',
  ],
  [{ filename: ":memory:", memory: "large" }, 'sqliteStorage: memory must be "small" or a positive number of bytes'],
  [{ filename: ":memory:", memory: 0 }, 'sqliteStorage: memory must be "small" or a positive number of bytes'],
  [{ filename: ":memory:", memory: Number.NaN }, 'sqliteStorage: memory must be "small" or a positive number of bytes'],
  [{ filename: ":memory:", durability: "ful" }, 'sqliteStorage: durability must be one of "full", "process"'],
])("sqliteStorage refuses %o instead of keeping everything in memory", (options, complaint) => {
  expect(() => sqliteStorage(options as SqliteStorageOptions)).toThrow(complaint);
});

test("a database in memory must be requested explicitly", async () => {
  const storage = sqliteStorage({ filename: ":memory:" });
  await storage.open([]);
  await storage.close();
});
