import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { killsOf, toldOn } from "../kills.ts";
import { runStories, type StoriesReport } from "./stories.ts";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-mails-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));

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

const STORIES = toldOn(
  {
    SQLite: { kills: killsOf(20), open: async () => `sqlite:${join(dataDir, "mails.sqlite")}` },
    PostgreSQL: { kills: killsOf(10), open: () => createTestDatabase(inject("pgUrl")) },
  },
  "SQLite",
);

describe.concurrent("a mail about a ticket arrives under one Message-ID, however its host is killed", () => {
  test.each(STORIES)("on %s", { timeout: 300_000 }, async (name, { kills, open }) => {
    check(name, kills, await runStories({ kills, storage: await open() }));
  });
});
