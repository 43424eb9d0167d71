import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { defineCollection, type Storage, type StoredRecord } from "@signalbox/core/storage";
import { fakeClock } from "@signalbox/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteStorage } from "../index.ts";

const notes = defineCollection<StoredRecord>({ name: "notes", noun: "Note" });

let folder: string;
let filename: string;
const clock = fakeClock(1_800_000_000);
/** Seconds until the claim stored in a backup expires: it names this process, which is still alive. */
const CLAIM_SEC = 31;
const opened: Storage[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-former-log-"));
  filename = join(folder, "notes.db");
});
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<Storage> {
  const storage = sqliteStorage({ filename, clock });
  opened.push(storage);
  await storage.open([notes]);
  return storage;
}
const insert = (storage: Storage, id: string): Promise<void> =>
  storage.write((tx) => tx.collection(notes).insert({ id }));
const idsIn = (storage: Storage): Promise<string[]> =>
  storage.read(async (tx) => (await tx.collection(notes).list()).map(({ id }) => id));

/** Restores a nightly backup over a database whose process was killed, beside that database's write-ahead log. */
async function restoreBesideLog(): Promise<void> {
  const storage = await open();
  await insert(storage, "before");
  const copy = await storage.upkeep?.backup("2027-01-15", new AbortController().signal);
  for (let n = 0; n < 50; n++) await insert(storage, `after-${n}`);
  // A killed process leaves its log; a stopped one copies it into the file.
  copyFileSync(`${filename}-wal`, join(folder, "left"));
  await storage.close();
  writeFileSync(filename, gunzipSync(readFileSync(String(copy))));
  copyFileSync(join(folder, "left"), `${filename}-wal`);
  await clock.advance(CLAIM_SEC);
}

test("a copy beside the log of the former database is refused unchanged, with the files to remove", async () => {
  await restoreBesideLog();
  const [copied, log] = [readFileSync(filename), readFileSync(`${filename}-wal`)];
  await expect(open()).rejects.toThrow(`Remove ${filename}-wal and ${filename}-shm, and start again.`);
  expect(readFileSync(filename).equals(copied)).toBe(true);
  expect(readFileSync(`${filename}-wal`).equals(log)).toBe(true);
});

test("without that log the copy opens with its records, at each start", async () => {
  await restoreBesideLog();
  rmSync(`${filename}-wal`);
  rmSync(`${filename}-shm`, { force: true });
  const restored = await open();
  expect(await idsIn(restored)).toEqual(["before"]);
  await insert(restored, "later");
  copyFileSync(`${filename}-wal`, join(folder, "left"));
  await restored.close();
  // After a kill, the restored database recovers from its own log like any other.
  copyFileSync(join(folder, "left"), `${filename}-wal`);
  await clock.advance(CLAIM_SEC);
  expect(await idsIn(await open())).toEqual(["before", "later"]);
});
