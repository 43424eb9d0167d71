import { expect, test } from "vitest";
import { keyWith, refusalOf, START } from "../../../../test/engine.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { startJobs } from "../../../testing/test-jobs.ts";

const setUp = async () => {
  const at = await startJobs({ clock: fakeClock(START + 30), config: { tz: "UTC" } });
  await at.signalbox.api.createCategory({ id: "rail", title: "Rail" });
  const hourly = (minutes: number[], more: object = {}) => ({
    triggers: [
      { type: "manual", enabled: true },
      { type: "schedule", enabled: true, minutes, ...more },
    ],
  });
  return { ...at, hourly };
};

test("the next runs of all events come in order, each with its event", async () => {
  const { signalbox, event, hourly } = await setUp();
  const late = await event(hourly([30]));
  const soon = await event(hourly([10]));
  await event({ ...hourly([5]), enabled: false });
  await event({ triggers: [{ type: "manual", enabled: true }] });
  const { rows, until, reasons } = await signalbox.as(keyWith([])).getUpcomingRuns({ limit: 3 });
  expect(rows.map(({ event: id, epoch, trigger }) => [id, epoch - START, trigger])).toEqual([
    [soon, 600, 1],
    [late, 1800, 1],
    [soon, 4200, 1],
  ]);
  expect([until - START, reasons]).toEqual([4200, []]);
  await signalbox.stop();
});

test("a caller sees only runs within its reach", async () => {
  const { signalbox, event, hourly } = await setUp();
  const own = await event({ ...hourly([10]), category: "rail" });
  const foreign = await event(hourly([10]));
  const limited = signalbox.as(keyWith([], { categories: ["rail"] }));
  const { rows } = await limited.getUpcomingRuns({ limit: 5 });
  expect(new Set(rows.map(({ event: id }) => id))).toEqual(new Set([own]));
  expect((await refusalOf(limited.getUpcomingRuns({ id: foreign }))).code).toBe("access");
  expect((await refusalOf(signalbox.as({}).getUpcomingRuns({}))).code).toBe("session");
  await signalbox.stop();
});

test("asked about one event, it says why it does not start, and since when its runs have been due", async () => {
  const { signalbox, event, hourly } = await setUp();
  const id = await event({ ...hourly([0]), enabled: false });
  const { rows, reasons } = await signalbox.api.getUpcomingRuns({ id, from: START - 7200, limit: 2 });
  expect(rows.map(({ epoch }) => epoch - START)).toEqual([-7200, -3600]);
  expect(reasons).toMatchObject([{ code: "event_disabled" }]);
  await signalbox.stop();
});

test("only stored triggers count, and the number of runs has a bound", async () => {
  const { signalbox, event } = await setUp();
  const id = await event({ triggers: [{ type: "manual", enabled: true }] });
  const given = { id, triggers: [{ type: "schedule", enabled: true }] };
  expect((await signalbox.api.getUpcomingRuns(given as never)).rows).toEqual([]);
  expect((await refusalOf(signalbox.api.getUpcomingRuns({ limit: 101 }))).code).toBe("api");
  await signalbox.stop();
});

test("with many events far away the search ends soon, and says how far it looked", async () => {
  const { signalbox, event, hourly } = await setUp();
  for (let count = 0; count < 20; count += 1)
    await event({ triggers: Array.from({ length: 50 }, () => hourly([0], { years: [2200] }).triggers[1]) });
  const { rows, until } = await signalbox.api.getUpcomingRuns({});
  expect(rows).toEqual([]);
  // A thousand triggers cost 20,000 per day.
  expect(until - START).toBeGreaterThan(4 * 86_400);
  expect(until - START).toBeLessThan(7 * 86_400);
  await signalbox.stop();
});
