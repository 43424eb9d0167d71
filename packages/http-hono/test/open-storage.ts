import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStorage } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { inject, onTestFinished } from "vitest";
import { createTestDatabase } from "../../storage-pg/test/test-database.ts";

const storages: Readonly<Record<string, () => Storage | Promise<Storage>>> = {
  memory: () => memoryStorage(),
  sqlite() {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-http-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return sqliteStorage({ filename: join(folder, "signalbox.db") });
  },
  postgres: async () => pgStorage({ connectionString: await createTestDatabase(inject("pgUrl")) }),
};

export const STORAGES = Object.keys(storages);

/** A fresh store of a kind; it is gone after the test. */
export async function openStorage(name: string): Promise<Storage> {
  const storage = await storages[name]?.();
  if (!storage) throw new Error(`No storage ${name}`);
  return storage;
}
