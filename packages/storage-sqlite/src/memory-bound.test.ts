import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { betterSqliteLike } from "../test/better-sqlite-like.ts";
import { type SqliteStorageOptions, sqliteStorage } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "signalbox-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const boundOf = (connection: DatabaseSync): unknown => connection.prepare("pragma cache_size").get()?.["cache_size"];

/** Negative numbers are kibibytes. */
test.each<[SqliteStorageOptions["memory"], readonly number[]]>([
  [undefined, [-8000, -2000]],
  ["small", [-1600, -400]],
  [64 * 1_048_576, [-52_428, -13_107]],
  [1, [-1, -1]],
])("of the file %s may be cached: by the writer, and by the reader", async (memory, bounds) => {
  const connections = new Set<DatabaseSync>();
  const database = betterSqliteLike(join(folder, `${memory}.db`), {
    interfere: (_sql, connection) => connections.add(connection),
  });
  const storage = sqliteStorage({ database, ...(memory === undefined ? {} : { memory }) });
  await storage.open([]);
  await storage.read((tx) => tx.timeline.latest({ server: "one", system: "hourly" }, 1));
  const [host, ...own] = [...connections].map(boundOf);
  // The storage leaves the host's own connection at SQLite's default.
  expect([host, ...own]).toEqual([-2000, ...bounds]);
  await storage.close();
  database.close();
});
