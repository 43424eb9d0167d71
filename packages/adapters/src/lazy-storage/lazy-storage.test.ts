import { memoryStorage } from "@signalbox/core";
import { expect, test } from "vitest";
import type { SqlStorage } from "../kysely/kysely-storage.ts";
import { lazyStorage } from "./index.ts";

const inner = (): SqlStorage => ({ ...memoryStorage(), verifyIndexes: async () => [] });
const lazy = (load: () => Promise<SqlStorage>): SqlStorage =>
  lazyStorage({ name: "sqlite", nodeId: "n1", shared: false, load });

test("loads nothing before it is opened, and once", async () => {
  let loads = 0;
  const storage = lazy(async () => {
    loads += 1;
    return inner();
  });
  expect([storage.name, storage.coordination.nodeId, storage.coordination.shared]).toEqual(["sqlite", "n1", false]);
  expect(loads).toBe(0);
  await storage.open([]);
  expect(await storage.read(async () => "read")).toBe("read");
  expect(await storage.work.stats()).toEqual({ open: 0, failed: 0 });
  await storage.close();
  expect(loads).toBe(1);
});

test("says that it is not open", async () => {
  const storage = lazy(async () => inner());
  await expect(storage.read(async () => 1)).rejects.toThrow("The storage is not open");
  await expect(storage.write(async () => 1)).rejects.toThrow("The storage is not open");
  expect(() => storage.work).toThrow("The storage is not open");
  expect(() => storage.adopt({})).toThrow("The storage is not open");
});

test("is closed although it never was opened, and although it could not be loaded", async () => {
  await lazy(async () => inner()).close();
  const broken = lazy(() => Promise.reject(new Error("No such module")));
  await expect(broken.open([])).rejects.toThrow("No such module");
  await broken.close();
});
