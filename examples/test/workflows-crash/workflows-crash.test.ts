import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { killsOf } from "../kills.ts";
import { tellStory } from "./story.ts";

const KILLS = killsOf(100);
const timeout = 240_000 + KILLS * 10_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-workflows-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

async function check(name: string, storage: (dataDir: string) => string): Promise<void> {
  const dataDir = join(folder, name);
  await mkdir(join(dataDir, "tmp"), { recursive: true });
  const { runs, lost, faults } = await tellStory({ kills: KILLS, storage: storage(dataDir), dataDir });
  console.log(`${name}: ${KILLS} kills, ${runs} workflows, ${lost} attempts lost in a kill, ${faults.length} faults`);
  expect(faults).toEqual([]);
  expect(lost).toBeGreaterThan(0);
}

test(`${KILLS} kills on SQLite lose no part of a workflow and count none twice`, { timeout }, () =>
  check("sqlite", (dataDir) => `sqlite:${join(dataDir, "store.sqlite")}`),
);

test(`${KILLS} kills on PostgreSQL lose no part of a workflow and count none twice`, { timeout }, async () => {
  const database = await createTestDatabase(inject("pgUrl"));
  await check("postgres", () => database);
});
