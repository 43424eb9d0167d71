import { expect, onTestFinished, test } from "vitest";
import { cradleProbe, startEngine } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { StorageUpkeep } from "../../ports/storage/storage.ts";

test("checks and copies of the database are made one at a time", async () => {
  const under: string[] = [];
  let most = 0;
  const slowly = async (what: string): Promise<void> => {
    most = Math.max(most, under.push(what));
    await new Promise((resolve) => setImmediate(resolve));
    under.splice(under.indexOf(what), 1);
  };
  const made: string[] = [];
  const upkeep: StorageUpkeep = {
    size: async () => 1,
    optimize: () => slowly("check").then(() => void made.push("check")),
    backup: (day) => slowly("copy").then(() => `copy ${made.push("copy")} of ${day}`),
  };
  const probe = cradleProbe();
  const engine = await startEngine({ storage: { ...memoryStorage(), upkeep }, plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  for (let count = 0; count < 4; count++) {
    await engine.api.adminRunOptimization({});
    await engine.api.adminRunMaintenance({});
  }
  await expect.poll(() => probe.cradle().internalJobs.list()).toEqual([]);
  expect([made.toSorted(), most]).toEqual([[...Array(4).fill("check"), ...Array(4).fill("copy")], 1]);
});
