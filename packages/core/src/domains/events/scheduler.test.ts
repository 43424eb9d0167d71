import { describe, expect, test } from "vitest";
import { recordingLogger, START, startEngine } from "../../../test/engine.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Plugin } from "../../kernel/plugin.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Services } from "../../services.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { activityCollection } from "../activity/collection.ts";
import type { Job } from "../jobs/model.ts";
import { eventStateCollection } from "./collection.ts";

type Launched = Parameters<Services["launcher"]["launch"]>[1];

/** Stands in for the jobs domain: launches each key once, as the real one does, and can be told to fail. */
function fakeLauncher(launched: Launched[] = []) {
  const failures: Error[] = [];
  const launcher: Services["launcher"] = {
    async launch(_unit, request) {
      const failure = failures.shift();
      if (failure) throw failure;
      if (launched.some(({ uniqueKey }) => uniqueKey === request.uniqueKey)) return undefined;
      launched.push(request);
      return { id: `j${launched.length}`, event: request.event.id, state: "ready", started: 0 } satisfies Job;
    },
  };
  const plugin: Plugin<readonly []> = { id: "fake-launcher", services: { launcher: () => launcher } };
  return { plugin, launched, failures };
}

interface Options {
  readonly start?: number;
  readonly storage?: Storage;
  readonly launched?: Launched[];
}

async function setUp({ start = START + 30, storage = memoryStorage(), launched = [] }: Options = {}) {
  const launcher = fakeLauncher(launched);
  const clock = fakeClock(start);
  const log = recordingLogger();
  const engine = await startEngine({ storage, clock, log, plugins: [launcher.plugin] });
  const minutes = (): number[] => launched.map(({ now = Number.NaN }) => (now - START) / 60);
  return { ...engine, ...launcher, clock, log, storage, minutes, [Symbol.asyncDispose]: () => engine.stop() };
}

/** Survives the stop of an engine, as a database does. */
const durable = (): Storage => ({ ...memoryStorage(), close: async () => undefined });

const event = (...triggers: Record<string, unknown>[]) => ({
  id: "e",
  title: "E",
  enabled: true,
  category: "general",
  plugin: "shellplug",
  params: { script: "x" },
  targets: ["main"],
  algo: "random",
  triggers: triggers.map((trigger) => ({ enabled: true, ...trigger })),
});
const everyMinute = { type: "schedule" };

describe("the scheduler", () => {
  test("launches a due event once in its minute", async () => {
    await using at = await setUp();
    await at.api.createEvent(event({ type: "schedule", minutes: [2] }));
    await at.clock.advance(300);
    expect(at.launched).toMatchObject([
      { source: "scheduler", now: START + 120, uniqueKey: `e:0:${START + 120}`, params: { script: "x" } },
    ]);
    expect(at.launched[0]).not.toHaveProperty("stype");
  });

  test("merges parameters, tags and data of the trigger and says its type", async () => {
    await using at = await setUp();
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
  ])("passes over %s", async (_name, disable) => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await disable(at.api);
    await at.clock.advance(180);
    expect(at.launched).toEqual([]);
  });

  test("makes up for minutes that a stall of two minutes swallowed, once", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    at.clock.step(120);
    await at.clock.advance(120);
    expect(at.minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  test("takes a longer gap for downtime", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(30);
    at.clock.step(3600);
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 62]);
  });

  test("never evaluates a minute again when the clock steps back", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute));
    await at.clock.advance(150);
    at.clock.step(-120);
    await at.clock.advance(240);
    expect(at.minutes()).toEqual([1, 2, 3, 4, 5]);
  });

  test("misses what was due while no engine ran", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(everyMinute));
    await first.clock.advance(30);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 230 });
    await second.clock.advance(60);
    expect(second.minutes()).toEqual([1, 4]);
  });

  test("catches up on what was due while no engine ran", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(everyMinute, { type: "catchup" }));
    await first.clock.advance(30);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 230 });
    await second.clock.advance(60);
    expect(second.minutes()).toEqual([1, 2, 3, 4]);
  });

  test("works a large backlog off, a day of minutes a pass", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event({ type: "schedule", minutes: [0, 30] }, { type: "catchup" }));
    await first.clock.advance(60);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 2 * 86_400 });
    await second.clock.advance(1);
    const afterOnePass = launched.length;
    await second.clock.advance(60);
    expect([afterOnePass, launched.length]).toEqual([48, 96]);
    expect(new Set(launched.map(({ uniqueKey }) => uniqueKey)).size).toBe(96);
  });

  test("replays when the cursor is moved back", async () => {
    await using at = await setUp();
    await at.api.createEvent(event(everyMinute, { type: "catchup" }));
    await at.clock.advance(90);
    await at.api.updateEvent({ id: "e", update_state: { cursor: START } });
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1, 2, 1, 2, 3]);
  });

  test("counts every-nth over restarts", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event(everyMinute, { type: "nth", every: 3 }));
    await first.clock.advance(95);
    await first.stop();
    await using second = await setUp({ storage, launched, start: START + 130 });
    await second.clock.advance(240);
    expect(second.minutes()).toEqual([1, 4]);
  });

  test("a refused launch is told in the activity and stops nobody else", async () => {
    await using at = await setUp();
    await at.api.createEvent(
      event({ type: "schedule", minutes: [1], params: { a: 1 } }, { type: "schedule", minutes: [1] }),
    );
    at.failures.push(
      new DomainError("job", "conflict", "Maximum daily 'start' count of 1 has been reached for event: e"),
    );
    await at.clock.advance(60);
    expect(at.launched.map(({ uniqueKey }) => uniqueKey)).toEqual([`e:1:${START + 60}`]);
    const rows = await at.storage.read((tx) => tx.collection(activityCollection).list());
    expect(rows.filter(({ action }) => action === "warning")).toMatchObject([
      { description: expect.stringContaining("Maximum daily"), keywords: ["e", "system"] },
    ]);
  });

  test("a failure of the storage is tried again in the next minute", async () => {
    await using at = await setUp();
    await at.api.createEvent(event({ type: "schedule", minutes: [1] }));
    at.failures.push(new Error("disk full"));
    await at.clock.advance(60);
    expect(at.launched).toEqual([]);
    await at.clock.advance(60);
    expect(at.minutes()).toEqual([1]);
    expect(at.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  test("writes nothing for events that are not due but the common cursor", async () => {
    await using at = await setUp();
    await at.api.createEvent(event({ type: "schedule", years: [2001] }));
    await at.clock.advance(60);
    const states = await at.storage.read((tx) => tx.collection(eventStateCollection).list());
    expect(states).toEqual([{ id: "*", cursor: START + 60 }]);
  });

  test("launches startup triggers once per engine", async () => {
    const [storage, launched] = [durable(), [] as Launched[]];
    const first = await setUp({ storage, launched });
    await first.api.createEvent(event({ type: "startup", data: { a: 1 }, tags: ["flag"] }));
    await first.clock.advance(120);
    await first.stop();
    expect(launched).toEqual([]);
    await using second = await setUp({
      storage: { ...storage, coordination: { ...storage.coordination, nodeId: "n2" } },
      launched,
    });
    await second.clock.advance(180);
    expect(launched).toMatchObject([
      { source: "startup", input: { data: { a: 1 } }, addTags: ["flag"], uniqueKey: "e:0:startup:n2" },
    ]);
  });
});

type Api = Awaited<ReturnType<typeof setUp>>["api"];
