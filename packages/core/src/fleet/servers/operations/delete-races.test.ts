import { expect, test } from "vitest";
import { SECRET_KEY, useFleets } from "../../../../test/fleet/fleet.ts";
import { heldStorage } from "../../../../test/fleet/held-storage.ts";
import { fakeClock } from "../../../testing/fake-clock.ts";
import { joinToken } from "../../../testing/socket-satellite.ts";
import { hostCollection, serverCollection } from "../collection.ts";

const start = useFleets();
const web = { hostname: "web01", id: "s1" };

test("a minute that is being stored writes nothing about a server that is deleted meanwhile", async () => {
  const clock = fakeClock();
  const { storage, hold } = heldStorage(clock);
  const at = await start({ clock, storage });
  await at.signalbox.api.createAlert({ id: "hot", title: "Hot", expression: "temp > 1", message: "m" });
  const agent = await at.agent.connect(web);
  await at.minute(agent, { temp: 0 });
  await clock.advanceTo(Math.floor(clock.now() / 60) * 60 + 61);
  const release = hold();
  agent.send("monitor", { version: "1.0", date: clock.now(), data: { temp: 2 } });
  await clock.advance(0.2);
  agent.close();
  await at.signalbox.api.deleteServer({ id: "s1", history: true });
  await at.settle();
  release();
  await at.settle();
  const left = await storage.read(async (tx) => [
    await tx.collection(hostCollection).get("s1"),
    await tx.timeline.bounds({ server: "s1", system: "hourly" }),
  ]);
  expect(left).toEqual([undefined, undefined]);
});

test("a server that said hello before it was deleted is not admitted after it", async () => {
  const at = await start();
  (await at.agent.connect(web)).close();
  await at.settle();
  const link = at.agent.open({ trusted: false });
  link.send("hello", { ...web, info: {} });
  await at.signalbox.api.deleteServer({ id: "s1", history: true });
  await at.settle();
  link.send("join", { token: joinToken({ clusterKey: SECRET_KEY }, link.received[0]?.data as never) });
  await at.settle();
  expect(link.received.map(({ cmd }) => cmd)).toEqual(["hello", "uninstall"]);
});

test("a bulk deletion spares a server that connects while it runs", async () => {
  const clock = fakeClock();
  const { storage, hold } = heldStorage(clock);
  const at = await start({ clock, storage });
  (await at.agent.connect(web)).close();
  await at.settle();
  const release = hold();
  const coming = at.agent.connect(web);
  await clock.advance(0);
  await at.signalbox.api.bulkSearchDelete({ index: "servers", query: "*" });
  await at.settle();
  release();
  const agent = await coming;
  await at.settle();
  expect(agent.closeReason).toBeUndefined();
  expect(await storage.read((tx) => tx.collection(serverCollection).get("s1"))).toBeDefined();
});
