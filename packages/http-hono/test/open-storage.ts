import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { memoryStorage } from "@signalbox/core";
import type { Storage } from "@signalbox/core/storage";
import { fakeClock } from "@signalbox/core/testing";
import { pgStorage } from "@signalbox/storage-pg";
import { sqliteStorage } from "@signalbox/storage-sqlite";
import { onTestFinished } from "vitest";
import { builtins } from "../../core/src/engine/builtins.ts";
import { createRegistry } from "../../core/src/kernel/calls/registry.ts";
import { lendDatabase } from "../../storage-pg/test/lent-database.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "signalbox-http-"));

/** A file with every table of an engine but no records: creating the tables takes twice as long as opening a copy. */
async function makeBlank(): Promise<string> {
  const filename = join(newFolder(), "blank.db");
  const storage = sqliteStorage({ filename });
  await storage.open(createRegistry([...builtins]).collections);
  await storage.close();
  process.once("exit", () => rmSync(dirname(filename), { recursive: true, force: true }));
  return filename;
}
let blank: Promise<string> | undefined;

type Open = () => Storage;

/**
 * The storage's clock stamps queued work and files. A clock that stands in the past is ahead of no engine, whether that has the
 * clock of a test or the machine's.
 */
export const STANDING = fakeClock(1_700_000_000);

const storages: Readonly<Record<string, () => Promise<Open>>> = {
  memory: async () => () => memoryStorage({ clock: STANDING }),
  async sqlite() {
    const folder = newFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const filename = join(folder, "signalbox.db");
    blank ??= makeBlank();
    copyFileSync(await blank, filename);
    return () => sqliteStorage({ filename, clock: STANDING });
  },
  async postgres() {
    const connectionString = await lendDatabase();
    return () => pgStorage({ connectionString });
  },
};

/** For tests of the storage's own behaviour: see CONTRIBUTING.md#on-which-storages-a-test-runs. */
export const STORAGES = Object.keys(storages);

/** For tests of behaviour above the storage. `npm run soak -- storages` uses all storages. */
export const ONE_STORAGE = process.env["SIGNALBOX_STORAGES"] === "all" ? STORAGES : ["sqlite"];

/** Creates a fresh store of a kind; resolves to a function that opens it, also after restarts. Removed after the test. */
export async function newStore(name: string): Promise<Open> {
  const open = await storages[name]?.();
  if (!open) throw new Error(`No storage ${name}`);
  return open;
}

/** A fresh store of a kind, which is removed after the test. */
export const openStorage = async (name: string): Promise<Storage> => (await newStore(name))();
