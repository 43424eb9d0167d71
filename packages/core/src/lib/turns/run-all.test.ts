import { expect, test } from "vitest";
import { runAll } from "./run-all.ts";

test("every step runs in its order, and the first failure is thrown after all", async () => {
  const done: string[] = [];
  const step =
    (name: string, fails = false) =>
    async (): Promise<void> => {
      await Promise.resolve();
      done.push(name);
      if (fails) throw new Error(name);
    };
  await expect(runAll([step("a"), step("b", true), step("c", true), step("d")])).rejects.toThrow("b");
  expect(done).toEqual(["a", "b", "c", "d"]);
});
