import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type BackupOptions, sqliteStorage } from "./index.ts";

const never = new AbortController().signal;

/** A file of an open storage, and the folder of its copies. */
async function setUp(backups: BackupOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-upkeep-"));
  const filename = join(folder, "ops.db");
  const storage = sqliteStorage({ filename, backups });
  await storage.open([]);
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const backup = (day: string) => storage.upkeep?.backup(day, never);
  const newestBackup = (day: string) => storage.upkeep?.newestBackup?.(day);
  return { filename, copies: `${filename}.backups`, backup, newestBackup };
}

test.each([0o600, 0o640])("a copy of a file with the mode %d may be read by the same users", async (mode) => {
  const { filename, copies, backup } = await setUp();
  chmodSync(filename, mode);
  const copy = (await backup("2026-01-02")) ?? "";
  expect(statSync(copy).mode & 0o777).toBe(mode);
  expect(readdirSync(copies)).toEqual(["2026-01-02.db.gz"]);
});

test("parts of a copy that was interrupted by the end of its process are deleted with the next one", async () => {
  const { copies, backup } = await setUp();
  mkdirSync(copies);
  for (const name of ["2026-01-01.db.part", "2026-01-01.db.part.gz", "2025-12-31.db.part-journal", "notes.part"])
    writeFileSync(join(copies, name), "half");
  await backup("2026-01-02");
  expect(readdirSync(copies).toSorted()).toEqual(["2026-01-02.db.gz", "notes.part"]);
});

test("copies dated by a clock that was ahead are deleted first, and hide no missed night", async () => {
  const { copies, backup, newestBackup } = await setUp({ keep: 2 });
  for (const day of ["2036-01-01", "2036-01-02", "2026-01-02"]) await backup(day);
  expect(readdirSync(copies).toSorted()).toEqual(["2026-01-02.db.gz", "2036-01-02.db.gz"]);
  expect(await newestBackup("2026-01-03")).toBe("2026-01-02");
  await backup("2026-01-03");
  expect(readdirSync(copies).toSorted()).toEqual(["2026-01-02.db.gz", "2026-01-03.db.gz"]);
});
