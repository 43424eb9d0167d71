import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStorage } from "../memory/memory-storage.ts";
import { defineCollection, type StoredRecord } from "../ports/storage/collection.ts";
import { allOf, everything, type SearchNode } from "./ast.ts";
import { beyond, partsOf } from "./beyond.ts";

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
