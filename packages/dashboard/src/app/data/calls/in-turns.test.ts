import { expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";

test("no call begins after the first failure, which is thrown once all running ones have ended", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error(`${item} is refused`);
    await Promise.resolve();
    ended.push(item);
  };
  await expect(inTurns([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], work)).rejects.toThrow("1 is refused");
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
});
