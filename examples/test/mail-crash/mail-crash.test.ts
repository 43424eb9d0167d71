import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { killsOf } from "../kills.ts";
import { runStories, type StoriesReport } from "./stories.ts";

const KILLS = { sqlite: killsOf(20), postgres: killsOf(10) };

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-mails-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));

const options = (kills: number) => ({ kills, cache: join(dataDir, "compiled") });

function check(name: string, kills: number, report: StoriesReport): void {
  const moments = Object.entries(report.moments).map(([moment, count]) => `${count} × ${moment}`);
  console.log(
    `${name}: ${report.kills} kills (${moments.join(", ")}), ${report.underWay} with a mail under way; ` +
      `${report.mails} mails, ${report.repeated} came again with the same Message-ID; ${report.faults.length} faults`,
  );
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(kills);
  expect(report.mails).toBe(2 * kills);
}

describe.concurrent("a mail about a ticket arrives under one Message-ID, however its host is killed", () => {
  test("on SQLite", { timeout: 300_000 }, async () => {
    const kills = KILLS.sqlite;
    check("SQLite", kills, await runStories({ ...options(kills), storage: `sqlite:${join(dataDir, "mails.sqlite")}` }));
  });

  test("on PostgreSQL", { timeout: 300_000 }, async () => {
    const kills = KILLS.postgres;
    check(
      "PostgreSQL",
      kills,
      await runStories({ ...options(kills), storage: await createTestDatabase(inject("pgUrl")) }),
    );
  });
});
