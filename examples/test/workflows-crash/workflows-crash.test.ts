import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { beside, killsOf } from "../kills.ts";
import { type Story, type StoryOptions, tellSharedStory, tellStory } from "./story.ts";

const KILLS = killsOf(100);
/** Each is ten jobs, every one of them a process. */
const STARTED_AT_ONCE = beside(KILLS, 1, 3);
const timeout = 240_000 + KILLS * 10_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-workflows-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

type Tell = (options: StoryOptions) => Promise<Story>;

async function check(name: string, tell: Tell, storage: (dataDir: string) => string): Promise<void> {
  const dataDir = join(folder, name);
  await mkdir(join(dataDir, "tmp"), { recursive: true });
  const { runs, lost, faults } = await tell({
    ...{ kills: KILLS, startedAtOnce: STARTED_AT_ONCE },
    ...{ storage: storage(dataDir), dataDir },
  });
  console.log(`${name}: ${KILLS} kills, ${runs} workflows, ${lost} attempts lost in a kill, ${faults.length} faults`);
  expect(faults).toEqual([]);
  expect(lost).toBeGreaterThan(0);
}

test(`${KILLS} kills on SQLite lose no part of a workflow and count none twice`, { timeout }, () =>
  check("sqlite", tellStory, (dataDir) => `sqlite:${join(dataDir, "store.sqlite")}`),
);

test(`${KILLS} kills on PostgreSQL lose no part of a workflow and count none twice`, { timeout }, async () => {
  const database = await createTestDatabase(inject("pgUrl"));
  await check("postgres", tellStory, () => database);
});

test(`${KILLS} kills of one of two nodes lose no part of the workflows that they share`, { timeout }, async () => {
  const database = await createTestDatabase(inject("pgUrl"));
  await check("shared", tellSharedStory, () => database);
});
