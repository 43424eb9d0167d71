import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineCollection, type StoredRecord } from "@signalbox/core/storage";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { sqliteStorage } from "./index.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"] as const;
type Values = Partial<Record<(typeof NAMES)[number], number | null>>;
interface Sheet extends StoredRecord, Values {}

const sheets = defineCollection<Sheet>({
  name: "sheets",
  noun: "Sheet",
  columns: Object.fromEntries(
    NAMES.map((name) => [name, { type: "integer", read: (sheet: Sheet) => sheet[name] ?? null }] as const),
  ),
});

const folder = mkdtempSync(join(tmpdir(), "signalbox-updates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an update writes only the indexes of the columns that changed", async () => {
  const filename = join(folder, "spied.db");
  const storage = sqliteStorage({ filename });
  await storage.open([sheets]);
  await storage.write((tx) => tx.collection(sheets).insert({ id: "one", a: 1, b: 2 }));
  // Such a trigger fires for each column in the `set` clause, for which SQLite also rewrites an index.
  using host = new DatabaseSync(filename);
  host.exec("create table written (name text)");
  for (const name of NAMES)
    host.exec(
      `create trigger spy_${name} after update of c_${name} on sb_sheets begin insert into written values ('${name}'); end`,
    );
  const writtenBy = async (change: Values): Promise<unknown[]> => {
    await storage.write((tx) => tx.collection(sheets).update("one", (sheet) => ({ ...sheet, ...change })));
    const rows = host.prepare("select name from written order by name").all();
    host.exec("delete from written");
    return rows.map(({ name }) => name);
  };
  expect(await writtenBy({ a: 1, c: null })).toEqual([]);
  expect(await writtenBy({ a: 1, b: 3 })).toEqual(["b"]);
  expect(await writtenBy({ a: null, f: 9 })).toEqual(["a", "f"]);
  expect(await storage.verifyIndexes()).toEqual([]);
  await storage.close();
});

test("any sets of columns that change leave the indexes correct", async () => {
  const storage = sqliteStorage({ filename: ":memory:" });
  await storage.open([sheets]);
  await storage.write((tx) => tx.collection(sheets).insert({ id: "one" }));
  const change = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(0, 1, 2, null));
  // More sets of columns than the statement cache holds.
  await fc.assert(
    fc.asyncProperty(change, async (values) => {
      await storage.write((tx) => tx.collection(sheets).update("one", (sheet) => ({ ...sheet, ...values })));
      expect(await storage.verifyIndexes()).toEqual([]);
    }),
    { numRuns: 150 },
  );
  await storage.close();
});
