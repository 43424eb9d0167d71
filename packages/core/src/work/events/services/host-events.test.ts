import { describe, expect, test } from "vitest";
import { recordingLogger, startEngine } from "../../../../test/engine.ts";
import { memoryStorage } from "../../../memory/memory-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { defineEvent, type EventDefinition } from "../define-event.ts";

describe("events that the host defines in code", () => {
  const hostEvent = (change: Partial<Omit<EventDefinition<Record<string, unknown>>, "run" | "worker">> = {}) =>
    defineEvent({ id: "nightly", title: "Nightly", schedule: "0 4 * * *", run: () => undefined, ...change });
  /** Keeps its content when an engine stops, as a database does. */
  const durable = () => ({ ...memoryStorage(), close: async () => undefined });

  test("are stored after the start", async () => {
    await using engine = await startEngine({ events: [hostEvent({ defaults: { size: 5 } })] });
    const { event } = await engine.api.getEvent({ id: "nightly" });
    expect(event).toMatchObject({
      title: "Nightly",
      enabled: true,
      plugin: "_function",
      targets: ["local"],
      algo: "random",
      category: "general",
      params: { size: 5 },
      username: "system",
      revision: 1,
    });
  });

  test("keep changes of users while the code stays the same", async () => {
    const storage = durable();
    const first = await startEngine({ storage, events: [hostEvent()] });
    await first.api.updateEvent({ id: "nightly", enabled: false, title: "Renamed" });
    await first.stop();
    await using second = await startEngine({ storage, events: [hostEvent()] });
    expect((await second.api.getEvent({ id: "nightly" })).event).toMatchObject({
      enabled: false,
      title: "Renamed",
      revision: 2,
    });
  });

  test("follow the code when it changed, but stay disabled", async () => {
    const storage = durable();
    const first = await startEngine({ storage, events: [hostEvent()] });
    await first.api.updateEvent({ id: "nightly", enabled: false });
    await first.stop();
    await using second = await startEngine({ storage, events: [hostEvent({ title: "Later", schedule: "0 5 * * *" })] });
    const { event } = await second.api.getEvent({ id: "nightly" });
    expect(event).toMatchObject({ enabled: false, title: "Later", revision: 3 });
    expect(event.triggers?.[1]).toMatchObject({ hours: [5] });
  });

  test("lose what the code no longer defines, and keep what users added", async () => {
    const storage = durable();
    const first = await startEngine({ storage, events: [hostEvent({ silence_alerts: true })] });
    await first.api.updateEvent({ id: "nightly", notes: "Ask Ann" });
    await first.stop();
    await using second = await startEngine({ storage, events: [hostEvent()] });
    const { event } = await second.api.getEvent({ id: "nightly" });
    expect(event).not.toHaveProperty("silence_alerts");
    expect(event).toMatchObject({ notes: "Ask Ann", revision: 3 });
  });

  test("take overlap and expectations from the code as soon as the code defines them", async () => {
    const storage = durable();
    const clock = fakeClock();
    const said = { overlap: "skip", expect: { success_every: "26 hours" } } as const;
    const read = async (change: object) => {
      await using engine = await startEngine({ storage, clock, events: [hostEvent(change)] });
      return (await engine.api.getEvent({ id: "nightly" })).event;
    };
    const since = Math.floor(clock.now());
    expect(await read(said)).toMatchObject({ overlap: "skip", expect: { success_every: 93_600, from: since } });
    await clock.advance(5000);
    expect((await read({ ...said, title: "Later" })).expect).toEqual({ success_every: 93_600, from: since });
    const without = await read({});
    expect(without).not.toHaveProperty("overlap");
    expect(without).not.toHaveProperty("expect");
  });

  test("stay stored when they are removed from the code", async () => {
    const storage = durable();
    await (await startEngine({ storage, events: [hostEvent()] })).stop();
    await using second = await startEngine({ storage });
    expect((await second.api.getEvent({ id: "nightly" })).event.plugin).toBe("_function");
  });

  test("never replace an event of another kind", async () => {
    const storage = durable();
    const first = await startEngine({ storage });
    const shell = { plugin: "shellplug", params: { script: "x" }, targets: ["main"], algo: "random" };
    await first.api.createEvent({ id: "nightly", title: "Mine", enabled: true, category: "general", ...shell });
    await first.stop();
    const log = recordingLogger();
    await using second = await startEngine({ storage, events: [hostEvent()], log });
    expect((await second.api.getEvent({ id: "nightly" })).event).toMatchObject({ title: "Mine", plugin: "shellplug" });
    expect(log.lines).toContainEqual(expect.objectContaining({ level: "error", fields: { event: "nightly" } }));
  });
});
