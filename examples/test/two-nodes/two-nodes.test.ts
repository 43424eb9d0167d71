import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase } from "../../../packages/storage-pg/test/test-database.ts";
import { beside, killsOf } from "../kills.ts";
import { SCHEDULES } from "./schedules.ts";
import { killLeader, runStory, type Story, stallLeader, updateLeader } from "./story.ts";

const KILLS = killsOf(50);
/** A busy machine needs a slower clock, or minutes are missed for lack of processor time. */
const PACE = Number(process.env["SIGNALBOX_NODE_PACE"] ?? 15);
/** Updates and stalls of the leader run only in `npm run soak`: the kills of the short run are harder. */
const UPDATES = beside(KILLS, 0, 20);
const STALLS = beside(KILLS, 0, 10);
/** A job waits ten seconds for a satellite that is reconnecting, which must be longer than reconnecting takes. */
const UPDATE_PACE = Math.min(PACE, 4);

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-nodes-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));

function tell(what: string, { times, minutes, due, faults, ...counts }: Story): void {
  console.log(
    `${times} ${what} of the leader in ${minutes} minutes of ${SCHEDULES.length} schedules; another one led after ${Math.round(counts.slowestOfficeMs)} ms at most\n` +
      `  ${due} runs were due: ${counts.missedByRule} fell into a gap without catch-up, ${counts.lostWithNode} ended with their node, ` +
      `${counts.attempts} further attempts of what never reached the satellite, which moved ${counts.moves} times\n` +
      `  ${faults.length} faults${faults
        .slice(0, 30)
        .map((fault) => `\n    ${fault}`)
        .join("")}`,
  );
}

test(`every due run of ${SCHEDULES.length} schedules happens once on two nodes whose leader is killed ${KILLS} times`, {
  timeout: 120_000 + KILLS * 40_000,
}, async () => {
  const storage = await createTestDatabase(inject("pgUrl"));
  const story = await runStory({ change: killLeader, times: KILLS, pace: PACE, storage, dataDir });
  tell("kills", story);
  expect(story.faults.slice(0, 30)).toEqual([]);
  expect(story.minutes).toBeGreaterThanOrEqual(KILLS / 2);
  // Most jobs inside a node have ended before it is killed.
  expect(story.lostWithNode).toBeLessThan(story.due / 10);
});

test.skipIf(UPDATES === 0)(
  "rolling updates of the leader lose and double nothing, and callers who retry get no error",
  {
    timeout: 120_000 + UPDATES * 40_000,
  },
  async () => {
    const storage = await createTestDatabase(inject("pgUrl"));
    const story = await runStory({ change: updateLeader, times: UPDATES, pace: UPDATE_PACE, storage, dataDir });
    tell("updates", story);
    expect(story.faults.slice(0, 30)).toEqual([]);
    // A node that is asked to stop finishes its own jobs.
    expect(story.lostWithNode).toBe(0);
  },
);

test.skipIf(STALLS === 0)(
  "a leader that stalls until others take over, and continues, doubles and reverts nothing",
  {
    timeout: 120_000 + STALLS * 90_000,
  },
  async () => {
    const storage = await createTestDatabase(inject("pgUrl"));
    const story = await runStory({ change: stallLeader, times: STALLS, pace: UPDATE_PACE, storage, dataDir });
    tell("stalls", story);
    expect(story.faults.slice(0, 30)).toEqual([]);
  },
);
