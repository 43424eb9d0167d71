import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { killsOf, toldOn } from "../kills.ts";
import { type CyclesReport, runCycles } from "./cycles.ts";
import { inspectPg, inspectSqlite, type Remains } from "./inspect.ts";
import { judge } from "./judge.ts";

const KILLS = killsOf(50);
const SEATS = 20;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-jobs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

async function dataDirOf(name: string): Promise<string> {
  const dataDir = join(folder, name);
  await mkdir(join(dataDir, "tmp"), { recursive: true });
  return dataDir;
}

function check(name: string, report: CyclesReport, remains: Remains): void {
  const accepted = new Set(report.ledger.accepted.values());
  const faults = [
    ...report.faults,
    ...remains.faults,
    ...judge({ ...remains, ...report, accepted }),
    ...remains.active.map(({ id, job: { event, state } }) => `${event} ${id}: never ended, ${state}`),
  ];
  tell(name, { report, remains, faults });
  expect(faults.slice(0, 30)).toEqual([]);
  expect(accepted.size).toBeGreaterThan(KILLS);
  // Some were killed during work, others while their request was under way.
  expect(remains.jobs.filter(isLost).length).toBeGreaterThan(KILLS / 4);
  expect(report.arrivals.length).toBeGreaterThan(accepted.size / 2);
}

const isLost = ({ description = "" }: { description?: string }): boolean => description.includes("was lost");

interface Told {
  readonly report: CyclesReport;
  readonly remains: Remains;
  readonly faults: readonly string[];
}

function tell(name: string, { report, remains: { jobs }, faults }: Told): void {
  const { kills, early, ledger, runs, arrivals, slowestStartMs, settledMs } = report;
  const count = (fits: (job: (typeof jobs)[number]) => boolean): number => jobs.filter(fits).length;
  const keys = new Set(arrivals.map(({ key }) => key));
  const ends = Map.groupBy(jobs, ({ code }) => String(code));
  console.log(
    `${name}: ${kills} kills (${early} during a start), slowest start ${Math.round(slowestStartMs)} ms, ` +
      `settled after ${Math.round(settledMs / 1000)} s\n` +
      `  ${ledger.accepted.size} jobs accepted (${ledger.repeated} requests repeated by their key), ${jobs.length} ended: ` +
      `${[...ends].map(([code, all]) => `${all.length} × ${code}`).join(", ")}\n` +
      `  ${runs.size} ran and wrote their line, ${count(isLost)} were lost in a kill, ${count(({ retried }) => retried === true)} retried, ` +
      `${count(({ parent }) => parent !== undefined)} launched by another job\n` +
      `  ${keys.size} hooks and mails arrived, ${arrivals.length - keys.size} of them again with the same key\n` +
      `  ${faults.length} faults${faults
        .slice(0, 30)
        .map((fault) => `\n    ${fault}`)
        .join("")}`,
  );
}

const STORIES = toldOn(
  {
    async SQLite() {
      const dataDir = await dataDirOf("sqlite");
      const filename = join(dataDir, "jobs.sqlite");
      const longLife = { every: 25, ms: 5000 };
      const report = await runCycles({ kills: KILLS, seats: SEATS, storage: `sqlite:${filename}`, dataDir, longLife });
      return { report, remains: await inspectSqlite(filename) };
    },
    async PostgreSQL() {
      const dataDir = await dataDirOf("pg");
      const storage = await createTestDatabase(inject("pgUrl"));
      // A new server considers the previous one dead after a quarter of a minute.
      const longLife = { every: 20, ms: 30_000 };
      const report = await runCycles({ kills: KILLS, seats: SEATS, storage, dataDir, longLife });
      return { report, remains: await inspectPg(storage) };
    },
  },
  "PostgreSQL",
);

test.each(STORIES)(
  `${KILLS} kills on %s lose no job, run none twice and deliver every effect`,
  { timeout: 300_000 + KILLS * 10_000 },
  async (name, run) => {
    const { report, remains } = await run();
    check(name, report, remains);
  },
);
