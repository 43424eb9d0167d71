import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStorage } from "../memory/memory-storage.ts";
import { defineCollection, type StoredRecord } from "../ports/storage/collection.ts";
import { allOf, everything, type SearchNode } from "./ast.ts";
import { beyond, partsOf, walk } from "./beyond.ts";

interface Row extends StoredRecord {
  readonly rank: number | null;
}
const rows = defineCollection<Row>({
  name: "rows",
  noun: "Row",
  columns: { rank: { type: "real", read: ({ rank }) => rank } },
});

test("records after a record are its followers, in either direction, null included", async () => {
  const ranks = fc.array(fc.constantFrom(null, 1, 2, 2.5), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(ranks, fc.constantFrom("id", "rank"), fc.boolean(), async (given, sortBy, descending) => {
      const storage = memoryStorage();
      await storage.open([rows]);
      await storage.write(async (tx) => {
        for (const [n, rank] of given.entries()) await tx.collection(rows).insert({ id: `r${n}`, rank });
      });
      await storage.read(async (tx) => {
        const order = { sortBy, descending };
        const find = async (where: SearchNode) => (await tx.collection(rows).find(where, order)).rows;
        const parts: Row[] = [];
        for (const part of partsOf(order)) {
          const all = await find(part);
          parts.push(...all);
          for (const [place, row] of all.entries())
            expect(await find(allOf([part, beyond(rows, order, row)]))).toEqual(all.slice(place + 1));
        }
        expect(parts).toEqual(await find(everything));
      });
    }),
    { numRuns: 100 },
  );
});

test("a walk reads each record once in its order, in pages of any size, up to a number", async () => {
  const storage = memoryStorage();
  await storage.open([rows]);
  await storage.write(async (tx) => {
    for (const [n, rank] of [2, null, 1, 2, null, 2.5, 1].entries())
      await tx.collection(rows).insert({ id: `r${n}`, rank });
  });
  const order = { sortBy: "rank", descending: true };
  for (const size of [1, 2, 3, 7, 8])
    for (const most of [undefined, 1, 4, 5, 6, 7, 9]) {
      const found: Row[] = [];
      const pages = walk({ collection: rows, where: everything, order, most, limit: () => size }, (where, page) =>
        storage.read((tx) => tx.collection(rows).find(where, page)),
      );
      for await (const page of pages) {
        expect(page.rows.length).toBeLessThanOrEqual(size);
        found.push(...page.rows);
      }
      expect(found.map(({ id }) => id)).toEqual(["r5", "r3", "r0", "r6", "r2", "r4", "r1"].slice(0, most));
    }
});

test("records that are removed and added between two pages shift nothing", async () => {
  const storage = memoryStorage();
  await storage.open([rows]);
  const add = (id: string) => storage.write((tx) => tx.collection(rows).insert({ id, rank: null }));
  for (const id of ["b", "d", "f"]) await add(id);
  const read: string[] = [];
  const order = { sortBy: "id", descending: false };
  const pages = walk({ collection: rows, where: everything, order, limit: () => 1 }, (where, page) =>
    storage.read((tx) => tx.collection(rows).find(where, page)),
  );
  for await (const page of pages) {
    read.push(...page.rows.map(({ id }) => id));
    if (read.length > 1) continue;
    await storage.write((tx) => tx.collection(rows).delete("b"));
    await add("a");
    await add("c");
  }
  expect(read).toEqual(["b", "c", "d", "f"]);
});
