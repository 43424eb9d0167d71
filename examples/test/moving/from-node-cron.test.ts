import { createRequire } from "node:module";
import { createSignalbox, defineEvent, memoryBlobStore, memoryStorage } from "@signalbox/core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

/** The part of node-cron that the test uses. */
interface NodeCron {
  schedule(
    pattern: string,
    run: () => void,
    options: { readonly timezone: string },
  ): { getNextRun(): Date | null; destroy(): unknown };
}
const require = createRequire(import.meta.url);
const cron = require("node-cron") as NodeCron;

/** A Wednesday during winter time in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 17, 49, 30);
const timezone = "Europe/Berlin";
const SAME = [
  ...["0 3 * * *", "*/15 * * * *", "5,35 */2 * * *", "0-30/10 * * * *", "0 9-17 * * mon-fri", "30 6 * * 1-5"],
  ...["0 0 * * 7", "0 0 * * sun", "0 0 1 jan *", "15 10 31 * *", "0 12 1-7 * *", "59 23 28-31 * *", "0 0 L * *"],
  ...["30 2 * * *", "@hourly", "@daily", "@weekly", "@monthly", "@yearly"],
];
const FRIDAY_13 = { type: "schedule", enabled: true, days: [13], weekdays: [5], hours: [0], minutes: [0], timezone };

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
beforeEach(() => void vi.setSystemTime(NOW));
afterAll(() => void vi.useRealTimers());

function nextOfNodeCron(pattern: string): number | undefined {
  const task = cron.schedule(pattern, () => undefined, { timezone });
  const next = task.getNextRun()?.getTime();
  void task.destroy();
  return next;
}

const storage = memoryStorage();
const signalbox = createSignalbox({ storage, blobs: memoryBlobStore(), secretKey: "only for this test, long enough" });
beforeAll(() => signalbox.start());
afterAll(() => signalbox.stop());

async function nextOf(triggers: readonly object[]): Promise<number | undefined> {
  const { rows } = await signalbox.api.previewEvent({ triggers, from: NOW / 1000, limit: 1 } as never);
  return rows[0] && rows[0].epoch * 1000;
}
const triggersOf = (schedule: string): readonly { readonly type: string }[] =>
  defineEvent({ id: "a", title: "A", schedule, run: () => undefined }).record["triggers"] as { type: string }[];
const inBerlin = (schedule: string) => triggersOf(schedule).map((trigger) => ({ ...trigger, timezone }));

test.each(SAME)("%s is due when node-cron says so", async (pattern) => {
  const next = nextOfNodeCron(pattern);
  expect(next).toBeGreaterThan(NOW);
  expect(await nextOf(inBerlin(pattern))).toBe(next);
});

test("a day of the month and a weekday: node-cron requires both, a pattern here either, and a trigger both", async () => {
  const friday = nextOfNodeCron("0 0 13 * 5");
  expect(await nextOf(inBerlin("0 0 13 * 5"))).toBe(Date.UTC(2026, 10, 26, 23));
  expect(await nextOf([FRIDAY_13])).toBe(friday);
});

test.each(["0 8 * * Monday", "0 0 1 January *", "*/10 * * * * *"])("%s is refused with the reason", (pattern) => {
  expect(nextOfNodeCron(pattern)).toBeGreaterThan(NOW);
  expect(() => triggersOf(pattern)).toThrow(/is not between|needs five fields/);
});

const MIDNIGHT = { type: "schedule", enabled: true, hours: [0], minutes: [0], timezone };
const FRIDAY = { ...MIDNIGHT, weekdays: [5] };
test.each<[string, readonly object[]]>([
  ["0 22-2 * * *", inBerlin("0 22-23,0-2 * * *")],
  ["0 0 * * 6-1", inBerlin("0 0 * * 6,0-1")],
  ["0 0 * * 5#2", [{ ...FRIDAY, days: [8, 9, 10, 11, 12, 13, 14] }]],
  ["0 0 * * 5L", [{ ...FRIDAY, days: [-1, -2, -3, -4, -5, -6, -7] }]],
  ["0 0 L-2 * *", [{ ...MIDNIGHT, days: [-3] }]],
  ["0 0 L,15 * *", [{ ...MIDNIGHT, days: [-1, 15] }]],
])("%s is refused, and what the guide has instead is due when node-cron says so", async (pattern, triggers) => {
  expect(() => triggersOf(pattern)).toThrow(pattern);
  expect(await nextOf(triggers)).toBe(nextOfNodeCron(pattern));
});

test.each(["0 0 15W * *", "0 0 LW * *", "0 0 * * monday", "* * * * * *"])("%s is refused", (pattern) => {
  expect(nextOfNodeCron(pattern)).toBeGreaterThan(NOW);
  expect(() => triggersOf(pattern)).toThrow(pattern);
});
