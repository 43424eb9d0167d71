import { describe, expect, test } from "vitest";
import { createKeyedTurns, createTurns } from "./turns.ts";

describe("turns", () => {
  test("one piece of work begins when the one before has ended, also with a failure", async () => {
    const turns = createTurns();
    const seen: string[] = [];
    const first = Promise.withResolvers<void>();
    const failing = turns.run(async () => {
      seen.push("first");
      await first.promise;
      seen.push("fails");
      throw new Error("no");
    });
    const second = turns.run(async () => seen.push("second"));
    await Promise.resolve();
    expect(seen).toEqual(["first"]);
    first.resolve();
    await expect(failing).rejects.toThrow("no");
    await second;
    expect(seen).toEqual(["first", "fails", "second"]);
    await turns.idle();
  });

  test("keys do not wait for each other, and are forgotten when nothing is running", async () => {
    const turns = createKeyedTurns();
    const held = Promise.withResolvers<void>();
    const seen: string[] = [];
    void turns.run("a", () => held.promise);
    void turns.run("a", async () => void seen.push("a"));
    await turns.run("b", async () => void seen.push("b"));
    expect(seen).toEqual(["b"]);
    held.resolve();
    await turns.idle();
    expect(seen).toEqual(["b", "a"]);
    expect(turns.size).toBe(0);
  });
});
