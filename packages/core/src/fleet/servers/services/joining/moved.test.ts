import { expect, test } from "vitest";
import { remote, twoNodes } from "../../../../../test/fleet/node-pair.ts";
import { activityCollection } from "../../../../directory/activity/collection.ts";

test("the end of an older connection on another node neither disconnects a server nor reverts its facts", async () => {
  const { clock, one, storage, two } = await twoNodes();
  const before = await one.connect({ ...remote, info: { satellite: "1.0" } });
  await clock.advance(4);
  // Each scripted agent numbers its connections from one; this one uses up a number, so that the next gets a different
  // id.
  (await two.connect({ ...remote, id: "s2", hostname: "web02.example.internal" })).close();
  await clock.advance(4);
  // The machine was cut off, and reconnected to the other node before the first one noticed.
  await two.connect({ ...remote, info: { satellite: "2.0" } });
  before.close();
  await clock.advance(6);
  const { rows } = await two.signalbox.api.searchServers({ query: "*", limit: 5 });
  expect(rows.find(({ id }) => id === "s1")).toMatchObject({ online: true, info: { satellite: "2.0" } });
  const log = await storage.read((tx) => tx.collection(activityCollection).list());
  const told = log.filter(({ keywords }) => keywords.includes("s1")).map(({ action }) => action);
  expect(told).toEqual(["server_add", "server_add"]);
});
