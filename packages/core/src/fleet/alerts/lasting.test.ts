import { describe, expect, test } from "vitest";
import { activity, hot, invocations, join, ping, without } from "../../../test/fleet/alert-setup.ts";
import { type FleetOptions, useFleets } from "../../../test/fleet/fleet.ts";
import type { Cradle } from "../../kernel/container.ts";
import { definePlugin } from "../../kernel/plugins/plugin.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import type { Storage } from "../../ports/storage/storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { invocationCollection, stateCollection } from "./collection.ts";

const start = useFleets();

/** Storage that outlives the engines on it, like a database. */
function lasting(clock = fakeClock()) {
  const storage = memoryStorage({ clock });
  return { clock, storage: { ...storage, close: async () => undefined } satisfies Storage };
}

describe("restarts", () => {
  test("a live alert is neither fired again nor forgotten", async () => {
    const { clock, storage } = lasting();
    const first = await start({ clock, storage, config: without });
    await first.signalbox.api.createAlert(hot);
    await first.minute(await join(first), { temp: 60 });
    await first.signalbox.stop();
    await clock.advance(3600);

    const second = await start({ clock, storage, config: without });
    const server = await join(second);
    await second.minute(server, { temp: 60 });
    expect(await invocations(second)).toMatchObject([{ active: true }]);
    await second.minute(server, { temp: 40 });
    expect(await invocations(second)).toMatchObject([{ active: false }]);
    expect((await activity(second)).map(({ action }) => action)).toEqual(["alert_new", "alert_cleared"]);
  });

  test("silence is measured from the restart on", async () => {
    const { clock, storage } = lasting();
    const first = await start({ clock, storage, config: without });
    await first.signalbox.api.createAlert(hot);
    await first.minute(await join(first), { temp: 60 });
    await first.signalbox.stop();
    await clock.advance(3600);

    const second = await start({ clock, storage, config: without });
    await clock.advance(60);
    expect(await invocations(second)).toMatchObject([{ active: true }]);
    await clock.advance(120);
    expect(await invocations(second)).toMatchObject([{ active: false, stale: true }]);
  });

  test("live invocations without a state get one, and of two only the newer stays live", async () => {
    const { clock, storage } = lasting();
    const first = await start({ clock, storage, config: without });
    await first.signalbox.api.createAlert(hot);
    await first.minute(await join(first), { temp: 60 });
    await first.signalbox.stop();
    await storage.write(async (tx) => {
      const [known] = await tx.collection(invocationCollection).list();
      const [state] = await tx.collection(stateCollection).list();
      if (!known || !state) throw new Error("nothing fired");
      await tx.collection(stateCollection).delete(state.id);
      await tx.collection(invocationCollection).insert({ ...known, id: "a0" });
    });

    const second = await start({ clock, storage, config: without });
    const found = await invocations(second);
    expect(found.map(({ id, active }) => [id === "a0", active])).toEqual([
      [false, true],
      [true, false],
    ]);
    await second.minute(await join(second), { temp: 60 });
    expect((await invocations(second)).filter(({ active }) => active)).toHaveLength(1);
  });
});

describe("actions", () => {
  const universal = [ping, { ...ping, to: "b" }, { ...ping, type: "suspend" }, { ...ping, condition: "alert_cleared" }];

  test("firing and clearing run their actions with the data of the alert, and keep the results", async () => {
    const runAction = () => ({ code: 0, description: "Success" });
    const fleet = await start({ config: { alert_universal_actions: universal }, runAction });
    await fleet.signalbox.api.createAlert({ ...hot, actions: [{ ...ping, text: "mine" }] } as never);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    await fleet.settle();
    await fleet.minute(server, { temp: 40 });
    await fleet.settle();
    const [invocation] = await invocations(fleet);
    const [fired, cleared] = fleet.told.batches;
    expect(fired).toMatchObject({
      side: "alert",
      key: `${invocation?.id}:alert_new`,
      data: {
        template: "alert_new",
        nice_server: "Web (host-s1)",
        def: { id: "hot" },
        alert: { id: invocation?.id },
        params: { data: { temp: 60 } },
        text: `Signalbox Alert Too hot on Web (host-s1): 60 degrees, !: http://localhost:5522/#Alerts?id=${invocation?.id}`,
      },
    });
    expect(cleared?.data).toMatchObject({ elapsed: 60, nice_elapsed: "1 minute", template: "alert_cleared" });
    expect(invocation?.actions).toEqual([
      { ...ping, text: "mine", code: 0, description: "Success" },
      { ...ping, to: "b", source: "universal", code: 0, description: "Success" },
      { ...ping, condition: "alert_cleared", source: "universal", code: 0, description: "Success" },
    ]);
  });

  test("an interrupted run repeats only actions without a result", async () => {
    const seen: unknown[] = [];
    let crash = true;
    const runAction: NonNullable<FleetOptions["runAction"]> = (action) => {
      seen.push(action["to"]);
      if (action["to"] === "b" && crash) {
        crash = false;
        throw new Error("power cut");
      }
      return { code: 0 };
    };
    const fleet = await start({ config: { alert_universal_actions: universal }, runAction });
    await fleet.signalbox.api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.clock.advance(30);
    expect(seen).toEqual(["a", "b", "b"]);
    expect((await invocations(fleet))[0]?.actions?.map(({ code }) => code)).toEqual([0, 0]);
  });

  test("an exclusive alert skips the configured actions", async () => {
    const fleet = await start({ config: { alert_universal_actions: universal } });
    await fleet.signalbox.api.createAlert({ ...hot, exclusive_actions: true });
    await fleet.minute(await join(fleet), { temp: 60 });
    await fleet.settle();
    expect(fleet.told.batches).toEqual([]);
  });
});

describe("clearing by hand", () => {
  /** An engine whose alert service the test can call directly, as other domains do. */
  async function startAsking() {
    const asked: { cradle?: Cradle } = {};
    const spy = definePlugin({ id: "test.spy", start: async (cradle) => void Object.assign(asked, { cradle }) });
    const fleet = await start({
      plugins: [spy],
      config: { alert_universal_actions: [{ ...ping, condition: "alert_cleared" }] },
    });
    if (!asked.cradle) throw new Error("not started");
    return { fleet, cradle: asked.cradle };
  }

  test("runs the actions of a live invocation, which fires again while the condition holds", async () => {
    const { fleet, cradle } = await startAsking();
    await fleet.signalbox.api.createAlert(hot);
    const server = await join(fleet);
    await fleet.minute(server, { temp: 60 });
    const [live] = await invocations(fleet);
    const clear = () => cradle.transact((unit) => cradle.alerts.clear(unit, live?.id ?? ""));
    expect(await clear()).toBe(true);
    expect(await clear()).toBe(false);
    await fleet.settle();
    expect(fleet.told.batches).toMatchObject([{ key: `${live?.id}:alert_cleared` }]);
    await fleet.minute(server, { temp: 60 });
    expect((await invocations(fleet)).map(({ active }) => active)).toEqual([false, true]);
  });

  test("servers with a live alert that limits jobs are listed, and no others", async () => {
    const { fleet, cradle } = await startAsking();
    await fleet.signalbox.api.createAlert({ ...hot, limit_jobs: true, samples: 2 });
    const server = await join(fleet);
    await join(fleet, "s2");
    const limited = async () => [...(await cradle.snapshot((tx) => cradle.alerts.limitedServers(tx)))];
    await fleet.minute(server, { temp: 60 });
    expect(await limited()).toEqual([]);
    await fleet.minute(server, { temp: 60 });
    expect(await limited()).toEqual(["s1"]);
    await fleet.signalbox.api.updateAlert({ id: "hot", limit_jobs: false });
    expect(await limited()).toEqual([]);
  });

  test("jobs sent to a server are recorded in its live invocations, the newest hundred", async () => {
    const { fleet, cradle } = await startAsking();
    await fleet.signalbox.api.createAlert(hot);
    await fleet.minute(await join(fleet), { temp: 60 });
    const ids = Array.from({ length: 101 }, (_value, index) => `j${index}`);
    await cradle.transact((unit) => cradle.alerts.jobsSent(unit, "s1", ids));
    await cradle.transact((unit) => cradle.alerts.jobsSent(unit, "s1", ["j100"]));
    await cradle.transact((unit) => cradle.alerts.jobsSent(unit, "s2", ["other"]));
    expect((await invocations(fleet))[0]?.jobs).toEqual(ids.slice(1));
  });
});
