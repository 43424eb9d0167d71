import { expect, test } from "vitest";
import { createBatches } from "./batches.ts";

function setUp(options: { size: number; atOnce: number }) {
  const seen: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const add = createBatches<number>(async (batch) => {
    seen.push(batch);
    await new Promise<void>((resolve) => ends.push(resolve));
  }, options);
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { add, seen, end };
}

test("a lonely item does not wait; what comes meanwhile shares the next batch", async () => {
  const { add, seen, end } = setUp({ size: 3, atOnce: 1 });
  for (const item of [1, 2, 3, 4, 5]) add(item);
  expect(seen).toEqual([[1]]);
  await end();
  expect(seen).toEqual([[1], [2, 3, 4]]);
  await end();
  expect(seen).toEqual([[1], [2, 3, 4], [5]]);
  await end();
  add(6);
  expect(seen.at(-1)).toEqual([6]);
});

test("as many batches are under way as are allowed", async () => {
  const { add, seen, end } = setUp({ size: 10, atOnce: 2 });
  for (const item of [1, 2, 3, 4]) add(item);
  expect(seen).toEqual([[1], [2]]);
  await end();
  expect(seen).toEqual([[1], [2], [3, 4]]);
});
