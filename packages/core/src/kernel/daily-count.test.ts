import { expect, onTestFinished, test } from "vitest";
import { cradleProbe, startEngine } from "../../test/engine.ts";
import { mailCountCollection } from "../desk/mail/collection.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { createDailyCount } from "./daily-count.ts";

const MIDNIGHT = Date.UTC(2026, 0, 3) / 1000;
const DAY = 86_400;

/** One counter per given time; each simulates a node with its own clock. */
async function setUp(...times: readonly number[]) {
  const probe = cradleProbe();
  const engine = await startEngine({ plugins: [probe.plugin] });
  onTestFinished(() => engine.stop());
  const { transact } = probe.cradle();
  return times.map((time) => {
    const clock = fakeClock(time);
    return { clock, count: createDailyCount({ transact, clock, config: { tz: "UTC" } as never }, mailCountCollection) };
  });
}

test("a day is full at its limit, and the next one starts at zero", async () => {
  const [node] = await setUp(MIDNIGHT - 10);
  const used = async () => [await node?.count("a", 2), await node?.count("a", 2), await node?.count("a", 2)];
  expect(await used()).toEqual([true, true, false]);
  node?.clock.step(20);
  expect(await used()).toEqual([true, true, false]);
});

test("when two nodes' clocks show midnight one after the other, neither starts the day again", async () => {
  const [ahead, behind] = await setUp(MIDNIGHT + 1, MIDNIGHT - 1);
  expect(await ahead?.count("a", 2)).toBe(true);
  expect(await behind?.count("a", 2)).toBe(true);
  for (const node of [ahead, behind, ahead]) expect(await node?.count("a", 2)).toBe(false);
});

test("a clock that is set back over midnight continues the day that it began", async () => {
  const [node] = await setUp(MIDNIGHT + 10);
  expect(await node?.count("a", 1)).toBe(true);
  node?.clock.step(-20);
  expect(await node?.count("a", 1)).toBe(false);
});

test("a clock that was days ahead is forgotten", async () => {
  const [node] = await setUp(MIDNIGHT + 3 * DAY);
  expect(await node?.count("a", 1)).toBe(true);
  node?.clock.step(-3 * DAY);
  expect([await node?.count("a", 1), await node?.count("a", 1)]).toEqual([true, false]);
});
