import { expect, onTestFinished, test } from "vitest";
import { cradleProbe, startEngine } from "../../../test/engine.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { StorageUpkeep } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { createMaintenance } from "./service.ts";

test("checks and copies of the database run one at a time", async () => {
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

test("a nightly copy that fails is retried an hour later, and made once", async () => {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  const { config, handlers, log, storage } = probe.cradle();
  const tried: number[] = [];
  let isFull = true;
  const backup = async (): Promise<string> => {
    tried.push(clock.now());
    if (isFull) throw new Error("No space left on device");
    return "copy";
  };
  const upkeep: StorageUpkeep = { size: async () => 1, optimize: async () => undefined, backup };
  const clock = fakeClock(Date.UTC(2026, 0, 2) / 1000);
  const deps = { clock, config: { ...config, maintenance: "04:00", tz: "UTC" }, handlers, log };
  const maintenance = createMaintenance({ ...deps, storage: { ...storage, upkeep } });
  const look = (): Promise<void> => maintenance.backup(clock.now(), new AbortController().signal);
  await look();
  await clock.advance(4 * 3600);
  const due = clock.now();
  await expect(look()).rejects.toThrow("No space left");
  for (let minute = 1; minute < 60; minute++) await clock.advance(60).then(look);
  expect(tried).toEqual([due]);
  isFull = false;
  for (let minute = 60; minute < 180; minute++) await clock.advance(60).then(look);
  expect(tried).toEqual([due, due + 3600]);
});

test.each([
  ["America/New_York", "04:00", "2026-03-04T10:00Z"],
  ["Asia/Tokyo", "20:00", "2026-03-04T12:00Z"],
])("in %s a start after %s makes the copy of that day, unless there is one", async (tz, mark, time) => {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  const { config, handlers, log, storage } = probe.cradle();
  const clock = fakeClock(Date.parse(time) / 1000);
  const madeBeside = async (newest: string): Promise<readonly string[]> => {
    const made: string[] = [];
    const upkeep: StorageUpkeep = {
      size: async () => 1,
      optimize: async () => undefined,
      backup: async (day) => `copy ${made.push(day)}`,
      newestBackup: async () => newest,
    };
    const deps = { clock, config: { ...config, maintenance: mark, tz }, handlers, log };
    await createMaintenance({ ...deps, storage: { ...storage, upkeep } }).backup(
      clock.now(),
      new AbortController().signal,
    );
    return made;
  };
  expect(await madeBeside("2026-03-03")).toEqual(["2026-03-04"]);
  expect(await madeBeside("2026-03-04")).toEqual([]);
});
