import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { beside, killsOf, toldOn } from "../kills.ts";
import { tellSharedStory, tellStory } from "./story.ts";

const KILLS = killsOf(100);
/** Workflows that start at once; each has seven jobs (ten with all kills), and each job is a process. */
const STARTED_AT_ONCE = beside(KILLS, 1, 3);
const timeout = 300_000 + KILLS * 10_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalbox-workflows-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const ofFile = async (dataDir: string): Promise<string> => `sqlite:${join(dataDir, "store.sqlite")}`;
const ofDatabase = (): Promise<string> => createTestDatabase(inject("pgUrl"));

const STORIES = toldOn(
  {
    "a node on SQLite": { tell: tellStory, open: ofFile },
    "a node on PostgreSQL": { tell: tellStory, open: ofDatabase },
    "one of two nodes": { tell: tellSharedStory, open: ofDatabase },
  },
  "one of two nodes",
);

test.each(STORIES)(
  `${KILLS} kills of %s lose no sub-job and count none twice`,
  { timeout },
  async (name, { tell, open }) => {
    const dataDir = join(folder, name.replaceAll(" ", "-"));
    await mkdir(join(dataDir, "tmp"), { recursive: true });
    const { runs, lost, faults } = await tell({
      ...{ kills: KILLS, startedAtOnce: STARTED_AT_ONCE },
      ...{ storage: await open(dataDir), dataDir },
    });
    console.log(`${name}: ${KILLS} kills, ${runs} workflows, ${lost} attempts lost in a kill, ${faults.length} faults`);
    expect(faults).toEqual([]);
    expect(lost).toBeGreaterThan(0);
  },
);
