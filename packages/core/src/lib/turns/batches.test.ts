import { expect, test } from "vitest";
import { createBatches } from "./batches.ts";

/** Waits for more turns of the event loop than a batch waits for further items. */
async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

function setUp(options: { size: number; atOnce: number }) {
  const seen: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const add = createBatches<number>(async (batch) => {
    seen.push(batch);
    await new Promise<void>((resolve) => ends.push(resolve));
  }, options);
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await turns();
  };
  return { add, seen, end };
}

test("items of one turn share a batch; surplus and later items share the next one", async () => {
  const { add, seen, end } = setUp({ size: 3, atOnce: 1 });
  for (const item of [1, 2, 3, 4]) add(item);
  expect(seen).toEqual([]);
  await turns();
  expect(seen).toEqual([[1, 2, 3]]);
  add(5);
  await end();
  expect(seen).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  await end();
  add(6);
  await turns();
  expect(seen.at(-1)).toEqual([6]);
});

test("a single item waits for one turn, and for up to three while others come", async () => {
  const { add, seen, end } = setUp({ size: 10, atOnce: 1 });
  add(1);
  await turns(2);
  expect(seen).toEqual([[1]]);
  await end();
  const keepAdding = (item: number): void =>
    void setImmediate(() => {
      add(item);
      if (item < 9) keepAdding(item + 1);
    });
  keepAdding(3);
  add(2);
  await turns(10);
  expect(seen[1]).toEqual([2, 3, 4, 5]);
});

test("no more batches run than are allowed", async () => {
  const { add, seen, end } = setUp({ size: 2, atOnce: 2 });
  for (const item of [1, 2, 3, 4, 5]) add(item);
  await turns();
  expect(seen).toEqual([
    [1, 2],
    [3, 4],
  ]);
  await end();
  expect(seen.at(-1)).toEqual([5]);
});

test("two that wait for the same item run it once", async () => {
  const { add, seen } = setUp({ size: 10, atOnce: 2 });
  add(1);
  add(2);
  await turns();
  expect(seen).toEqual([[1, 2]]);
});
