import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { type CrashReport, runCrashCycles } from "./cycles.ts";
import { inspectPg, inspectSqlite } from "./inspect.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-crash-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

// Concurrent launches would stop at the default of a hundred a minute.
const SIGNALBOX_CONFIG = JSON.stringify({ max_jobs_per_min: 0 });

function tell(name: string, report: CrashReport, inspected: { rows: number }): void {
  console.log(
    `${name}: ${report.kills} kills, ${report.acknowledged} acknowledged writes, ${report.faults.length} faults, ` +
      `${report.jobs} jobs launched, ${report.unfinishedJobs.length} without an end, ` +
      `${inspected.rows} activity rows and every index compared, slowest start ${Math.round(report.slowestRestartMs)} ms`,
  );
}

test("25 kills on SQLite lose no acknowledged write and forget no job", { timeout: 240_000 }, async () => {
  const filename = join(dataDir, "crash.sqlite");
  const env = { SIGNALBOX_STORAGE: `sqlite:${filename}`, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_CONFIG };
  const report = await runCrashCycles({ kills: 25, env, clients: 8 });
  const inspected = await inspectSqlite(filename);
  tell("SQLite", report, inspected);
  expect(report.faults).toEqual([]);
  expect(report.unfinishedJobs).toEqual([]);
  expect(inspected.faults).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(500);
});

test("10 kills on PostgreSQL lose no acknowledged write and forget no job", { timeout: 240_000 }, async () => {
  const url = await createTestDatabase(inject("pgUrl"));
  const env = { SIGNALBOX_STORAGE: url, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_CONFIG };
  const report = await runCrashCycles({ kills: 10, env, clients: 8 });
  const inspected = await inspectPg(url);
  tell("PostgreSQL", report, inspected);
  expect(report.faults).toEqual([]);
  expect(report.unfinishedJobs).toEqual([]);
  expect(inspected.faults).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(200);
});
