import { describe, expect, test } from "vitest";
import { cradleProbe, refusalOf } from "../../../test/engine.ts";
import { type Fleet, useFleets } from "../../../test/fleet/fleet.ts";
import { joinAs, minuteData, quiet, snapshotter } from "../../../test/fleet/snapshot-setup.ts";
import { activityCollection } from "../../directory/activity/collection.ts";
import type { ScriptedServer } from "../../testing/scripted-agent.ts";
import { snapshotCollection, snapshotPartCollection } from "./collection.ts";

const start = useFleets();
const taken = ({ storage }: Fleet) => storage.read((tx) => tx.collection(snapshotCollection).list());
const state = async ({ signalbox }: Fleet) => (await signalbox.api.getGlobalState()).state;
const watchRows = async ({ storage }: Fleet) =>
  (await storage.read((tx) => tx.collection(activityCollection).list())).filter(({ action }) => /_watch$/.test(action));

async function minute(fleet: Fleet, server: ScriptedServer): Promise<void> {
  await fleet.minute(server, minuteData);
  await fleet.settle();
}

describe("watch_server", () => {
  test("takes a snapshot with every minute until its end", async () => {
    const fleet = await start(quiet);
    const server = await joinAs(fleet);
    await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 60);
    await minute(fleet, server);
    expect(await taken(fleet)).toEqual([]);
    const now = Math.floor(fleet.clock.now());
    await fleet.signalbox.api.watchServer({ id: "s1", duration: "120" });
    expect(await state(fleet)).toMatchObject({ watches: { servers: { s1: now + 120 } } });
    for (let count = 0; count < 4; count++) await minute(fleet, server);
    const snapshots = await taken(fleet);
    expect(snapshots).toHaveLength(2);
    expect(snapshots[0]).toMatchObject({ type: "server", source: "watch", server: "s1" });
    expect(snapshots[0]).not.toHaveProperty("username");
  });

  test("a new duration replaces the old end, 0 ends it", async () => {
    const fleet = await start(quiet);
    const server = await joinAs(fleet);
    const now = Math.floor(fleet.clock.now());
    await fleet.signalbox.api.watchServer({ id: "s1", duration: 3600 });
    await fleet.signalbox.api.watchServer({ id: "s1", duration: 60 });
    expect(await state(fleet)).toMatchObject({ watches: { servers: { s1: now + 60 } } });
    await fleet.signalbox.api.watchServer({ id: "s1", duration: 0 });
    expect((await state(fleet))["watches"]).toEqual({});
    await minute(fleet, server);
    expect(await taken(fleet)).toEqual([]);
  });

  test("writes activity with the largest unit of the duration", async () => {
    const fleet = await start(quiet);
    await joinAs(fleet);
    for (const duration of [3600, 5400, 1, 172_800, 0]) await fleet.signalbox.api.watchServer({ id: "s1", duration });
    const rows = await watchRows(fleet);
    expect(rows.map((row) => row["duration"])).toEqual([
      "1 hour",
      "1 hour",
      "1 second",
      "2 days",
      "0 seconds (disabled)",
    ]);
    expect(rows[0]).toMatchObject({
      ...{ action: "server_watch", description: "", server_id: "s1", hostname: "s1.example.internal", seconds: 3600 },
    });
    expect(rows[0]?.keywords).toContain("s1");
  });

  test.each<[object, string, string]>([
    [{ id: "nope", duration: 60 }, "server", "Failed to locate server: nope"],
    [{ id: "s1" }, "api", "Missing parameter: duration"],
    [{ id: "s1", duration: -1 }, "api", "Malformed parameter: duration"],
    [{ id: "s1", duration: "1h" }, "api", "Malformed parameter: duration"],
    [{ id: "s1", duration: 1.5 }, "api", "Malformed parameter: duration"],
    [{ id: "s1", duration: 2_592_001 }, "api", "Malformed parameter: duration"],
  ])("refuses %j", async (input, code, description) => {
    const fleet = await start(quiet);
    await joinAs(fleet);
    expect(await refusalOf(fleet.signalbox.api.watchServer(input as never))).toEqual({ code, description });
  });

  test("is refused to callers of other groups", async () => {
    const fleet = await start(quiet);
    await joinAs(fleet);
    const refusal = await refusalOf(fleet.signalbox.as(snapshotter("db")).watchServer({ id: "s1", duration: 60 }));
    expect(refusal.description).toBe("You do not have the required account privileges to access targets: main.");
    await fleet.signalbox.as(snapshotter("main")).watchServer({ id: "s1", duration: 2_592_000 });
  });
});

describe("watch_group", () => {
  test("takes one snapshot at second 30 of each minute until its end", async () => {
    const fleet = await start(quiet);
    await joinAs(fleet);
    await fleet.clock.advanceTo(Math.floor(fleet.clock.now() / 60) * 60 + 60);
    await fleet.signalbox.api.watchGroup({ id: "main", duration: 150 });
    await fleet.clock.advance(29);
    expect(await taken(fleet)).toEqual([]);
    await fleet.clock.advance(2);
    expect(await taken(fleet)).toMatchObject([{ type: "group", source: "watch", groups: ["main"] }]);
    await fleet.clock.advance(300);
    const dates = (await taken(fleet)).map(({ date }) => date % 60);
    expect(dates).toEqual([30, 30]);
  });

  test("two leaders take one snapshot", async () => {
    const probe = cradleProbe();
    const fleet = await start({ ...quiet, plugins: [probe.plugin] });
    await joinAs(fleet);
    await fleet.signalbox.api.watchGroup({ id: "main", duration: 3600 });
    const { snapshots } = probe.cradle();
    const now = Math.floor(fleet.clock.now() / 60) * 60 + 90;
    const { signal } = new AbortController();
    await Promise.all([snapshots.watches.groups(now, signal), snapshots.watches.groups(now, signal)]);
    const [snapshot, ...others] = await taken(fleet);
    expect(others).toEqual([]);
    // Parts that the losing leader had stored are removed by the next sweep.
    await fleet.signalbox.api.watchGroup({ id: "main", duration: 0 });
    fleet.clock.step(700);
    await fleet.clock.advance(2);
    const parts = await fleet.storage.read((tx) => tx.collection(snapshotPartCollection).list());
    expect(parts.map(({ id }) => id)).toEqual([`${snapshot?.id}_0`, `${snapshot?.id}_1`]);
  });

  test("writes activity and refuses unknown and foreign groups", async () => {
    const fleet = await start(quiet);
    await fleet.signalbox.api.watchGroup({ id: "main", duration: 7200 });
    expect(await watchRows(fleet)).toMatchObject([
      { action: "group_watch", group: { id: "main" }, duration: "2 hours", seconds: 7200 },
    ]);
    expect(await refusalOf(fleet.signalbox.api.watchGroup({ id: "nope", duration: 1 }))).toEqual({
      code: "watch",
      description: "Unknown group: nope",
    });
    expect(await refusalOf(fleet.signalbox.as(snapshotter("db")).watchGroup({ id: "main", duration: 1 }))).toEqual({
      code: "access",
      description: "You do not have the required account privileges to access group ID main.",
    });
  });
});

test("watches that are over are removed by the nightly maintenance", async () => {
  const fleet = await start(quiet);
  await joinAs(fleet);
  await fleet.signalbox.api.watchServer({ id: "s1", duration: 60 });
  await fleet.signalbox.api.watchGroup({ id: "main", duration: 2_592_000 });
  await fleet.clock.advance(120);
  expect(await state(fleet)).toMatchObject({ watches: { servers: { s1: expect.any(Number) } } });
  fleet.clock.step(86_400);
  await fleet.clock.advance(61);
  expect((await state(fleet))["watches"]).toEqual({ groups: { main: expect.any(Number) } });
});
