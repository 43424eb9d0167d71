import { describe, expect, test } from "vitest";
import { START } from "../../../test/engine.ts";
import {
  durable,
  event,
  everyMinute,
  type Launched,
  startScheduler,
  switched,
} from "../../../test/work/scheduler-setup.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { eventStateCollection } from "../events/collection.ts";

describe("the scheduler", () => {
  test("launches a due event once in its minute", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event({ type: "schedule", minutes: [2] }));
    await at.clock.advance(300);
    expect(at.launched).toMatchObject([
      { source: "scheduler", now: START + 120, uniqueKey: `e:0:${START + 120}`, params: { script: "x" } },
    ]);
    expect(at.launched[0]).not.toHaveProperty("stype");
  });

  test("follows the zone of the configuration when it is changed", async () => {
    await using at = await startScheduler();
    // The clock begins at 08:00 UTC, which is 17:00 in Tokyo.
    await at.api.createEvent(event({ type: "schedule", hours: [17], minutes: [10] }));
    await at.api.adminUpdateConfig({ tz: "Asia/Tokyo" } as never);
    await at.clock.advance(900);
    expect(at.launched).toHaveLength(1);
  });

  test("merges parameters, tags and data of the trigger and says its type", async () => {
    await using at = await startScheduler();
    const trigger = { type: "single", epoch: START + 60, params: { size: 1 }, tags: ["flag"], data: [1, 2] };
    await at.api.createEvent(event(trigger, { type: "quiet", invisible: true }, { type: "delay", duration: 5 }));
    await at.clock.advance(60);
    expect(at.launched).toMatchObject([
      {
        stype: "single",
        params: { script: "x", size: 1 },
        addTags: ["flag"],
        input: { data: { items: [1, 2] } },
        overrides: { invisible: true },
        until: START + 65,
      },
    ]);
  });

  test.each([
    ["a disabled event", async (api: Api) => void (await api.updateEvent({ id: "e", enabled: false }))],
    [
      "an event in a disabled category",
      async (api: Api) => void (await api.updateCategory({ id: "general", enabled: false })),
    ],
  ])("skips %s", async (_name, disable) => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute));
    await disable(at.api);
    await at.clock.advance(180);
    expect(at.launched).toEqual([]);
  });

  test("does nothing while it is paused; minutes of the pause are not caught up on", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    await at.api.updateGlobalState(switched(false));
    await at.clock.advance(120);
    await at.api.updateGlobalState(switched(true));
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 4]);
  });

  test("after a pause runs the missed minutes of an event with catch-up", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(30);
    await at.api.updateGlobalState(switched(false));
    await at.clock.advance(120);
    expect(at.minutes()).toEqual([1]);
    await at.api.updateGlobalState(switched(true));
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 3, 4]);
  });

  test("catches up on minutes missed in a stall of two minutes, once", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    at.clock.step(120);
    await at.clock.advance(120);
    expect(at.minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  test("treats a longer gap as downtime", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    at.clock.step(3600);
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 62]);
  });

  test("never evaluates a minute again when the clock steps back", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(150);
    at.clock.step(-120);
    await at.clock.advance(240);
    expect(at.minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  test("misses runs that were due while no engine ran", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event(everyMinute));
    await first.clock.advance(30);
    await first.stop();
    await using second = await startScheduler({ storage, launched, start: START + 230 });
    await second.clock.advance(60);
    expect(second.minutes()).toEqual([1, 4]);
  });

  test("catches up on runs that were due while no engine ran", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event(everyMinute, { type: "catchup" }));
    await first.clock.advance(30);
    await first.stop();
    await using second = await startScheduler({ storage, launched, start: START + 230 });
    await second.clock.advance(60);
    expect(second.minutes()).toEqual([1, 2, 3, 4]);
  });

  test.each([
    ["no pass has evaluated it", async () => undefined],
    [
      "it is changed before a pass evaluates it",
      async ({ api }: Awaited<ReturnType<typeof startScheduler>>) => api.updateEvent({ id: "e", notes: "New" }),
    ],
  ])("catches up on runs that were due since an event was created, also when %s", async (_when, meanwhile) => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.clock.advance(40);
    await first.api.createEvent(event(everyMinute, { type: "catchup" }));
    await first.stop();
    // The next engine dies in its first pass before it reaches the event, and so does the one after it.
    for (const start of [START + 230, START + 470]) {
      const torn = await startScheduler({ storage, launched, start });
      torn.failures.push(...Array.from({ length: 100 }, () => new Error("power cut")));
      await torn.clock.advance(11);
      await meanwhile(torn);
      await torn.stop();
    }
    expect(launched).toEqual([]);
    await using last = await startScheduler({ storage, launched, start: START + 710 });
    await last.clock.advance(60);
    expect(last.minutes()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("works through a large backlog, a day of minutes per pass", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event({ type: "schedule", minutes: [0, 30] }, { type: "catchup" }));
    await first.clock.advance(60);
    await first.stop();
    await using second = await startScheduler({ storage, launched, start: START + 2 * 86_400 });
    await second.clock.advance(1);
    const afterOnePass = launched.length;
    await second.clock.advance(60);
    expect([afterOnePass, launched.length]).toEqual([48, 96]);
    expect(new Set(launched.map(({ uniqueKey }) => uniqueKey)).size).toBe(96);
  });

  test("launches many runs of one minute in transactions of 25, each once", async () => {
    const sizes: number[] = [];
    const launched: Launched[] = [];
    const inner = memoryStorage();
    const write: Storage["write"] = async (work) => {
      const before = launched.length;
      const result = await inner.write(work);
      if (launched.length > before) sizes.push(launched.length - before);
      return result;
    };
    await using at = await startScheduler({ storage: { ...inner, write }, launched });
    await at.api.createEvent(
      event({ type: "schedule", minutes: [2] }, { type: "interval", start: START, duration: 1 }),
    );
    await at.clock.advance(60);
    expect(sizes).toEqual([25, 10, 25]);
    expect(new Set(launched.map(({ now }) => now)).size).toBe(60);
  });

  test("repeats a minute whose first launches were stored when the engine died", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event({ type: "interval", start: START, duration: 1 }));
    // The second transaction of the minute is lost.
    first.failures[25] = new Error("power cut");
    await first.clock.advance(31);
    expect(launched).toHaveLength(25);
    await first.clock.advance(60);
    expect(new Set(launched.map(({ uniqueKey }) => uniqueKey)).size).toBe(launched.length);
    expect(launched.filter(({ now = 0 }) => now < START + 120)).toHaveLength(60);
    await first.stop();
  });

  test("replays when the cursor is moved back", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(90);
    await at.api.updateEvent({ id: "e", update_state: { cursor: START } });
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 1, 2, 3]);
  });

  test("counts every-nth over restarts", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await startScheduler({ storage, launched });
    await first.api.createEvent(event(everyMinute, { type: "nth", every: 3 }));
    await first.clock.advance(95);
    await first.stop();
    await using second = await startScheduler({ storage, launched, start: START + 130 });
    await second.clock.advance(240);
    expect(second.minutes()).toEqual([1, 4]);
  });

  test("writes only the common cursor for events that are not due", async () => {
    await using at = await startScheduler();
    await at.api.createEvent(event({ type: "schedule", years: [2001] }));
    await at.clock.advance(60);
    const states = await at.storage.read((tx) => tx.collection(eventStateCollection).list());
    expect(states).toEqual([{ id: "*", cursor: START + 60 }]);
  });

  test("spreads runs that are due at once over seconds, in the order of the events", async () => {
    await using at = await startScheduler();
    for (let index = 0; index < 45; index++) await at.api.createEvent({ ...event(everyMinute), id: `e${index}` });
    await at.clock.advance(30);
    const starts = at.launched.map(({ until }) => (until === undefined ? 0 : until - START - 60));
    expect(starts).toEqual([...Array(20).fill(0), ...Array(20).fill(1), ...Array(5).fill(2)]);
  });

  test("spreads nothing when configured so, and never moves a run to an earlier time", async () => {
    await using at = await startScheduler({ config: { scheduler_stagger_ms: 0 } });
    for (let index = 0; index < 30; index++) await at.api.createEvent({ ...event(everyMinute), id: `e${index}` });
    await at.clock.advance(30);
    expect(at.launched.every(({ until }) => until === undefined)).toBe(true);
    await using slow = await startScheduler({ config: { scheduler_stagger_ms: 2000 } });
    for (const id of ["a", "b"])
      await slow.api.createEvent({ ...event(everyMinute, { type: "delay", duration: 60 }), id });
    await slow.clock.advance(30);
    expect(slow.launched.map(({ until }) => until)).toEqual([START + 120, START + 120]);
  });

  test("records minutes in which it was paused, and minutes without an engine", async () => {
    const storage = durable();
    const first = await startScheduler({ storage });
    await first.clock.advance(30);
    await first.api.updateGlobalState(switched(false));
    await first.clock.advance(120);
    await first.api.updateGlobalState(switched(true));
    await first.clock.advance(60);
    await first.stop();
    await using second = await startScheduler({ storage, start: START + 1800 });
    await second.clock.advance(1);
    const state = await storage.read((tx) => tx.collection(eventStateCollection).get("*"));
    expect(state?.gaps).toEqual([
      { from: START + 120, to: START + 180, reason: "paused" },
      { from: START + 300, to: START + 1740, reason: "down" },
    ]);
  });
});

type Api = Awaited<ReturnType<typeof startScheduler>>["api"];
