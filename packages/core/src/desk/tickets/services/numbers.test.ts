import { expect, test } from "vitest";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { NEXT_NUMBER, numberCollection } from "../collection.ts";
import { createTicketNumbers, type TicketNumbers } from "./numbers.ts";

/** A storage whose counter stands at `count`, with the number that an earlier version stored separately. */
async function storeOf(count: number, beside?: number) {
  const storage = memoryStorage();
  await storage.open([numberCollection]);
  await storage.write(async (tx) => {
    if (count > 0) await tx.counter("tickets.num", count - 1);
    if (beside) await tx.collection(numberCollection).insert({ id: NEXT_NUMBER, next: beside });
  });
  const take = (numbers: TicketNumbers) => storage.write((tx) => numbers.take(tx));
  const next = (numbers: TicketNumbers) => storage.read((tx) => numbers.next(tx));
  const kept = () => storage.read((tx) => tx.collection(numberCollection).get(NEXT_NUMBER));
  return { storage, take, next, kept, numbers: createTicketNumbers() };
}

test.each([
  ["a new store", 0, undefined, 1],
  ["a store with a stored counter", 7, undefined, 8],
  ["a store of an earlier version", 7, 8, 8],
  ["a store with imported tickets", 3, 65, 65],
])("%s continues with the number it shows", async (_name, count, beside, number) => {
  const { kept, next, numbers, take } = await storeOf(count, beside);
  expect(await next(numbers)).toBe(number);
  expect([await take(numbers), await take(numbers)]).toEqual([number, number + 1]);
  expect(await next(numbers)).toBe(number + 2);
  expect(await next(createTicketNumbers())).toBe(number + 2);
  expect(await kept()).toBeUndefined();
});

test.each([
  ["above all that were given", 64, 65],
  ["below them", 4, 8],
  ["just them", 7, 8],
])("raising it %s", async (_name, floor, number) => {
  const { next, numbers, storage, take } = await storeOf(3, 8);
  await storage.write((tx) => numbers.raise(tx, floor));
  expect(await next(numbers)).toBe(number);
  expect(await take(numbers)).toBe(number);
});

test("a rolled back create leaves the number where it was", async () => {
  const { kept, numbers, storage, take } = await storeOf(3, 65);
  const failed = storage.write(async (tx) => {
    await numbers.take(tx);
    throw new Error("stop");
  });
  await expect(failed).rejects.toThrow("stop");
  expect(await kept()).toEqual({ id: NEXT_NUMBER, next: 65 });
  expect(await take(numbers)).toBe(65);
});
