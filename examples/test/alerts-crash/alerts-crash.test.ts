import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { killsOf, toldOn } from "../kills.ts";
import { runStories, type StoriesReport } from "./stories.ts";

const KILLS = killsOf(50);

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-alerts-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));

function check(name: string, report: StoriesReport): void {
  const phases = Object.entries(report.phases).map(([phase, count]) => `${count} × ${phase}`);
  console.log(
    `${name}: ${report.kills} kills (${phases.join(", ")}) in ${report.minutes} minutes of readings; ` +
      `${report.underWay} with a notification under way; ${report.notifications} notifications, ${report.repeated} came again with the same key; ` +
      `${report.faults.length} faults`,
  );
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(KILLS);
}

const STORIES = toldOn(
  {
    SQLite: async () => `sqlite:${join(dataDir, "alerts.sqlite")}`,
    PostgreSQL: () => createTestDatabase(inject("pgUrl")),
  },
  "PostgreSQL",
);

describe.concurrent("an alert whose host is killed at any time fires once and clears once", () => {
  test.each(STORIES)("on %s", { timeout: 600_000 }, async (name, open) => {
    check(name, await runStories({ kills: KILLS, storage: await open() }));
  });
});
