import { expect, test } from "vitest";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { activeJobCollection } from "./collection.ts";
import type { ActiveJob } from "./model.ts";
import { listActive } from "./records.ts";

test.each([
  [0, 0],
  [249, 0],
  [501, 2],
])("%i active jobs are read completely, with %i turns of the loop in between", async (count, turns) => {
  const storage = memoryStorage();
  await storage.open([activeJobCollection]);
  const ids = Array.from({ length: count }, (_, index) => `j${String(index).padStart(4, "0")}`);
  const records = ids.map(
    (id) => ({ id, launched: 1, job: { id, state: "queued" }, details: {} }) as unknown as ActiveJob,
  );
  await storage.write((tx) => tx.collection(activeJobCollection).insertMany(records));
  let seen = 0;
  let isOver = false;
  const look = (): void => {
    if (isOver) return;
    seen++;
    setImmediate(look);
  };
  setImmediate(look);
  const found = await storage.read(listActive);
  isOver = true;
  expect(found.map(({ id }) => id)).toEqual(ids);
  expect(seen).toBeGreaterThanOrEqual(turns);
});
