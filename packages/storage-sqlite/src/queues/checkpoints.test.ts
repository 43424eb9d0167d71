import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "@signalbox/core/adapter";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openFile, type SqliteHandle } from "../file/handle.ts";
import { createCheckpoints } from "./checkpoints.ts";

let folder: string;
let file: string;
let writer: SqliteHandle & { readonly file: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-checkpoints-"));
  file = join(folder, "notes.db");
  writer = openFile(file) as typeof writer;
  writer.run("pragma journal_mode = wal", []);
  writer.run("create table notes (text text)", []);
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const warnings: unknown[] = [];
const log = { warn: (_fields: object, text: string) => warnings.push(text) } as unknown as Logger;
const MEGABYTE = 1_000_000;
const writeMegabyte = (): void => {
  writer.run("insert into notes values (?)", ["x".repeat(MEGABYTE)]);
};
const numberOf = (pragma: string): unknown => Object.values(writer.run(`pragma ${pragma}`, []).rows[0] ?? {})[0];

test("the log is copied into the file while writes continue, and starts again", async () => {
  const checkpoints = createCheckpoints(writer, log);
  let written = 0;
  // How soon the thread finishes depends on the disk and the load: it may take a hundred writes or more.
  for (let isShorter = false; !isShorter && written < 1000; written++) {
    writeMegabyte();
    await checkpoints.committed(MEGABYTE);
    isShorter = statSync(`${file}-wal`).size < (written - 10) * MEGABYTE;
    // Yields to the event loop, so that the thread's message can arrive.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(1000);
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(8 * MEGABYTE), { timeout: 120_000 });
  await checkpoints.close();
  expect(warnings).toEqual([]);
});

test("few bytes in many commits count as well", async () => {
  const checkpoints = createCheckpoints(writer, log);
  for (let commit = 0; commit < 300; commit++) {
    writer.run("insert into notes values (?)", [`note ${commit} ${"x".repeat(4000)}`]);
    void checkpoints.committed(4000);
  }
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(900_000), { timeout: 120_000 });
  await checkpoints.close();
});

test("if the thread fails SQLite copies within commits, the log warns once, and the thread is tried again", async () => {
  const checkpoints = createCheckpoints({ ...writer, file: join(folder, "missing", "notes.db") }, log);
  expect(numberOf("wal_autocheckpoint")).toBe(16_000);
  await checkpoints.committed(9 * MEGABYTE);
  await vi.waitFor(() => expect(warnings).toHaveLength(1), { timeout: 120_000 });
  expect(numberOf("wal_autocheckpoint")).toBe(4000);
  for (let commit = 0; commit < 3; commit++) await checkpoints.committed(9 * MEGABYTE);
  mkdirSync(join(folder, "missing"));
  await vi.waitFor(
    async () => {
      await checkpoints.committed(9 * MEGABYTE);
      expect(numberOf("wal_autocheckpoint")).toBe(16_000);
    },
    { timeout: 120_000 },
  );
  await checkpoints.close();
  expect(warnings).toEqual(["The write-ahead log is copied within commits: its thread failed"]);
});

test("where no thread can be created SQLite copies within commits, and the process lives on", () => {
  const program = `
    const { sqliteStorage } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    const log = { debug() {}, info() {}, warn: (_fields, text) => console.log(text), error: console.log };
    const storage = sqliteStorage({ filename: ${JSON.stringify(file)}, durability: "process", log });
    await storage.open([]);
    for (let count = 0; count < 3; count++) await storage.write((tx) => tx.enqueue("kind", "x".repeat(9e6)));
    console.log(await storage.work.stats());
    await storage.close();`;
  const permitted = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*"];
  const options = ["--conditions=@signalbox/source", "--disable-warning=ExperimentalWarning", ...permitted];
  const run = spawnSync(process.execPath, [...options, "--input-type=module", "-e", program], { encoding: "utf8" });
  expect(run).toMatchObject({
    stdout: "The write-ahead log is copied within commits: its thread failed\n{ open: 3, failed: 0 }\n",
    status: 0,
  });
});
