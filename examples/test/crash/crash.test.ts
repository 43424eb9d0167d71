import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { killsOf, toldOn } from "../kills.ts";
import { type CrashReport, runCrashCycles } from "./cycles.ts";
import { type Inspection, inspectPg, inspectSqlite } from "./inspect.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-crash-"));
  await mkdir(join(dataDir, "tmp"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));

/** More than a hundred jobs a minute are launched. Silent jobs must count as dead soon, or the test would take minutes. */
const SIGNALBOX_CONFIG = JSON.stringify({ max_jobs_per_min: 0, dead_job_timeout: 5 });

const environment = (storage: string): Record<string, string> => ({
  SIGNALBOX_STORAGE: storage,
  SIGNALBOX_DATA_DIR: dataDir,
  SIGNALBOX_CONFIG,
  // Temporary files of a killed server's jobs are removed with the data.
  TMPDIR: join(dataDir, "tmp"),
});

function tell(name: string, report: CrashReport, { rows, faults }: Inspection): void {
  const { kills, ledger, jobs } = report;
  const { tag, event } = ledger.entries;
  const ends = Object.entries(jobs.ends).map(([end, count]) => `\n    ${count} × ${end}`);
  console.log(
    `${name}: ${kills} kills, ${ledger.acknowledgedWrites} acknowledged writes, ${report.faults.length} faults\n` +
      `  ${tag.size} tags, ${event.size} events, ${ledger.keys.size} keys; every index compared with a rebuild, ` +
      `${rows} activity rows with their records: ${faults.length} faults\n` +
      `  ${ledger.jobs.size} jobs accepted, ${jobs.open.length} without an end:${ends.join("")}\n` +
      `  slowest start ${Math.round(report.slowestStartMs)} ms`,
  );
}

function check(report: CrashReport, inspected: Inspection): void {
  expect(report.faults).toEqual([]);
  expect(inspected.faults).toEqual([]);
  expect(report.jobs.open).toEqual([]);
  expect(report.ledger.acknowledgedWrites).toBeGreaterThan(report.kills * WRITES_PER_KILL);
  expect(report.ledger.jobs.size).toBeGreaterThan(report.kills);
  // A job that ran when its server was killed can only end in the ways the rules allow.
  expect(Object.keys(report.jobs.ends).join("\n")).toMatch(/long_job: abort .*(was lost|assuming job is dead)/);
}

const WRITES_PER_KILL = 40;

const STORIES = toldOn(
  {
    async SQLite() {
      const filename = join(dataDir, "crash.sqlite");
      const kills = killsOf(25);
      const report = await runCrashCycles({ kills, env: environment(`sqlite:${filename}`), clients: 12, loadMs: 300 });
      return { report, inspected: await inspectSqlite(filename, report.ledger) };
    },
    async PostgreSQL() {
      const url = await createTestDatabase(inject("pgUrl"));
      const report = await runCrashCycles({ kills: killsOf(10), env: environment(url), clients: 12, loadMs: 600 });
      return { report, inspected: await inspectPg(url, report.ledger) };
    },
  },
  "SQLite",
);

test.each(STORIES)("kills on %s lose no acknowledged write and forget no job", async (name, run) => {
  const { report, inspected } = await run();
  tell(name, report, inspected);
  check(report, inspected);
});
