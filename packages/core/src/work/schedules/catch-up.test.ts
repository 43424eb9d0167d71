import { describe, expect, test } from "vitest";
import { START } from "../../../test/engine.ts";
import { durable, event, everyMinute, type Launched, startScheduler } from "../../../test/work/scheduler-setup.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { startJobs } from "../../testing/test-jobs.ts";

describe("catch-up after three days off", () => {
  const DAYS = 3 * 86_400;
  const daily = { type: "schedule", hours: [12], minutes: [0] };

  async function missed(...triggers: Record<string, unknown>[]): Promise<string[]> {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event(...triggers, { type: "catchup" }));
    await first.clock.advance(90);
    await first.stop();
    launched.length = 0;
    await using second = await startScheduler({ storage, launched, start: START + DAYS });
    // Each pass works off a day of minutes.
    await second.clock.advance(4 * 60);
    return launched.map(({ now = 0 }) => new Date(now * 1000).toISOString().slice(5, 16));
  }

  test("runs every missed day, in order, once", async () => {
    expect(await missed(daily)).toEqual(["01-15T12:00", "01-16T12:00", "01-17T12:00"]);
  });

  test("runs every missed minute, each once", async () => {
    const runs = await missed(everyMinute);
    expect([runs.length, runs[0], runs.at(-1)]).toEqual([3 * 1440 + 2, "01-15T08:03", "01-18T08:04"]);
    expect(new Set(runs).size).toBe(runs.length);
  });

  test("leaves out runs that a blackout forbids or no range allows", async () => {
    const noon = START + 4 * 3600;
    expect(await missed(daily, { type: "blackout", start: noon + 86_400, end: noon + 86_400 })).toEqual([
      "01-15T12:00",
      "01-17T12:00",
    ]);
    const ranges = [
      { type: "range", end: noon },
      { type: "range", start: noon + 2 * 86_400, end: noon + 2 * 86_400 },
    ];
    expect(await missed(daily, ...ranges)).toEqual(["01-15T12:00", "01-17T12:00"]);
    expect(await missed(daily, { type: "range" })).toEqual([]);
  });

  test("counts every-nth over the missed minutes", async () => {
    expect(await missed({ type: "schedule", hours: [0, 6, 12, 18], minutes: [0] }, { type: "nth", every: 4 })).toEqual([
      "01-15T12:00",
      "01-16T12:00",
      "01-17T12:00",
    ]);
  });

  test("keeps the delay and the seconds of the missed time", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event(daily, { type: "catchup" }, { type: "precision", seconds: [0, 30] }));
    await first.clock.advance(90);
    await first.stop();
    await using second = await startScheduler({ storage, launched, start: START + 86_400 });
    await second.clock.advance(61);
    const noon = START + 4 * 3600;
    expect(launched.map(({ now, until }) => [now, until])).toEqual([
      [noon, noon],
      [noon + 30, noon + 30],
    ]);
  });
});

describe("catch-up", () => {
  test("waits while the event is disabled, and runs the missed minutes afterwards", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(30);
    await at.api.updateEvent({ id: "e", enabled: false });
    await at.clock.advance(120);
    await at.api.updateEvent({ id: "e", enabled: true });
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 3, 4]);
  });

  test("gives a job the missed time, and the present time as its start", async () => {
    const storage = durable();
    const begin = async (start: number) => startJobs({ storage, clock: fakeClock(start), config: { tz: "UTC" } });
    const first = await begin(START);
    await first.event({
      triggers: [everyMinute, { type: "catchup" }].map((trigger) => ({ enabled: true, ...trigger })),
    });
    await first.clock.advance(70);
    await first.signalbox.stop();
    const second = await begin(START + 3600);
    await second.connect();
    await second.clock.advance(2);
    const { rows } = await second.signalbox.api.getActiveJobs();
    const oldest = rows.toSorted((left, right) => Number(left.now) - Number(right.now))[0];
    expect(oldest?.now).toBe(START + 120);
    expect(oldest?.started).toBeGreaterThanOrEqual(START + 3600);
    await second.signalbox.stop();
  });
});

test("starts its replay also when a caller moves the cursor during a pass", async () => {
  const launched: Launched[] = [];
  await using at = await startScheduler({ launched });
  const daily = { type: "schedule", hours: [7], minutes: [58] };
  await at.api.createEvent(event(daily, { type: "catchup" }));
  await at.api.createEvent({ ...event(everyMinute), id: "z" });
  await at.clock.advance(60);
  const launching = Promise.withResolvers<void>();
  const moved = launching.promise.then(() =>
    at.api.updateEvent({ id: "e", update_state: { cursor: START - 600 } } as never),
  );
  const { push } = launched;
  // The pass has evaluated the first event and launches the second one.
  launched.push = (...requests) => {
    launched.push = push;
    launching.resolve();
    return push.apply(launched, requests);
  };
  await at.clock.advance(60);
  await moved;
  await at.clock.advance(60);
  expect(launched.filter((request) => request.event.id === "e").map(({ now }) => now)).toEqual([START - 120]);
});
