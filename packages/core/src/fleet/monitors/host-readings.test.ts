import { afterEach, expect, test } from "vitest";
import { type Fleet, SECRET_KEY, useFleets } from "../../../test/fleet/fleet.ts";
import { createSignalbox } from "../../engine/signalbox.ts";
import { memoryStorage } from "../../memory/memory-storage.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { scriptedAgent } from "../../testing/scripted-agent.ts";

const start = useFleets();
const join = (fleet: Fleet) => fleet.agent.connect({ hostname: "here", id: "here" });
const hostOf = async (fleet: Fleet, id = "here") =>
  ((await fleet.signalbox.api.getServer({ id })).data as { data: Record<string, unknown> }).data["host"];
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

test("readings of the host are in the samples of its own server, for monitors, quick monitors and alerts", async () => {
  const fleet = await start({
    config: { quick_monitors: [{ id: "q", title: "Q", source: "host.queue_depth", type: "integer" }] },
  });
  const define = { id: "depth", title: "Depth", source: "host.queue_depth", data_type: "integer" };
  await fleet.signalbox.api.createMonitor(define);
  const message = "{{ host.queue_depth }} wait, {{ host.mode }}";
  const expression = "host.mode == 'draining' && monitors.depth > 10";
  await fleet.signalbox.api.createAlert({ id: "deep", title: "Deep", expression, message });
  const server = await join(fleet);
  fleet.signalbox.report({ queue_depth: 17, mode: "draining" });
  server.send("quickmon", {});
  await fleet.minute(server, { load: [1] });
  const { data } = await fleet.signalbox.api.getServer({ id: "here" });
  expect(data).toMatchObject({
    new_alerts: { deep: true },
    data: { host: { queue_depth: 17, mode: "draining" }, monitors: { depth: 17 } },
  });
  const { servers } = await fleet.signalbox.api.getQuickmonData({ server: "here", shape: "values" });
  expect(servers["here"]).toMatchObject([{ id: "q", value: 17 }]);
});

test("a reading stays until it is replaced or removed", async () => {
  const fleet = await start();
  const server = await join(fleet);
  fleet.signalbox.report({ queue_depth: 1, other: 2 });
  await fleet.minute(server, {});
  fleet.signalbox.report({ queue_depth: 3 });
  await fleet.minute(server, {});
  expect(await hostOf(fleet)).toEqual({ queue_depth: 3, other: 2 });
  fleet.signalbox.report({ queue_depth: null, other: null });
  await fleet.minute(server, {});
  expect(await hostOf(fleet)).toBeUndefined();
});

test("a server whose agent runs elsewhere has no readings of the host", async () => {
  const fleet = await start();
  const remote = await fleet.agent.connect({ hostname: "there", id: "there", join: { clusterKey: SECRET_KEY } });
  fleet.signalbox.report({ queue_depth: 17 });
  await fleet.minute(remote, { load: [1] });
  expect(await hostOf(fleet, "there")).toBeUndefined();
});

test("a report before the start, or without a local server, waits for it", async () => {
  const clock = fakeClock();
  const agent = scriptedAgent();
  const storage = memoryStorage({ clock });
  const signalbox = createSignalbox({ storage, clock, agents: agent, secretKey: SECRET_KEY });
  running.push(signalbox);
  signalbox.report({ queue_depth: 5 });
  await signalbox.start();
  const server = await agent.connect({ hostname: "here", id: "here" });
  server.send("monitor", { version: "1.0", date: clock.now(), data: {} });
  await clock.advance(1);
  expect((await signalbox.api.getServer({ id: "here" })).data).toMatchObject({ data: { host: { queue_depth: 5 } } });
});

test("an invalid report throws and changes nothing", async () => {
  const fleet = await start();
  const server = await join(fleet);
  fleet.signalbox.report({ queue_depth: 5 });
  expect(() => fleet.signalbox.report({ queue_depth: 6, "no name": 1 })).toThrow("no name");
  await fleet.minute(server, {});
  expect(await hostOf(fleet)).toEqual({ queue_depth: 5 });
});
