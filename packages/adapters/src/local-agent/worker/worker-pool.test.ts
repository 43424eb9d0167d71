import { systemClock } from "@signalbox/core/adapter";
import { expect, test } from "vitest";
import { createWorkerPool } from "./worker-pool.ts";

test("a thread that cannot be started uses no place, and each call is refused with the reason", async () => {
  const pool = createWorkerPool({
    clock: systemClock,
    maxWorkers: 1,
    get memoryMb(): number {
      throw new Error("no threads here");
    },
  });
  const { signal } = new AbortController();
  for (let call = 0; call < 3; call++) await expect(pool.take(signal)).rejects.toThrow("no threads here");
});
