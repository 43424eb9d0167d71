import { expect, it } from "vitest";
import { settleAll } from "./settle-all.ts";

it("returns the answers of all, in their order", async () => {
  const late = new Promise<string>((resolve) => setImmediate(() => resolve("late")));
  expect(await settleAll([late, Promise.resolve(1)])).toEqual(["late", 1]);
  expect(await settleAll([])).toEqual([]);
});

it("throws the first failure, once all have ended", async () => {
  let isOver = false;
  const late = new Promise<void>((resolve) =>
    setImmediate(() => {
      isOver = true;
      resolve();
    }),
  );
  const all = settleAll([late, Promise.reject(new Error("first")), Promise.reject(new Error("second"))]);
  await expect(all).rejects.toThrow("first");
  expect(isOver).toBe(true);
});
