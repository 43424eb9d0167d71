import { expect, test } from "vitest";
import { cradleProbe } from "../../../test/engine.ts";
import { useFleets } from "../../../test/fleet/fleet.ts";
import { joinAs, minuteData, quiet } from "../../../test/fleet/snapshot-setup.ts";
import type { ConfigInput } from "../../engine/config.ts";
import { snapshotCollection, snapshotPartCollection } from "./collection.ts";
import { partId } from "./model.ts";

const start = useFleets();

async function setUp(snapshots: object, count: number) {
  const probe = cradleProbe();
  const config = { ...quiet.config, db_maint: { snapshots } } as ConfigInput;
  const fleet = await start({ config, plugins: [probe.plugin] });
  const now = Math.floor(fleet.clock.now());
  const empty = { type: "server", source: "user", alerts: [], jobs: [], parts: 2, size: 1, lightSize: 1 } as const;
  await fleet.storage.write(async (tx) => {
    for (let n = 0; n < count; n++) {
      const id = `sn${String(n).padStart(4, "0")}`;
      const date = now - (count - n) * 3600;
      const record = { ...empty, id, date, server: n % 2 === 0 ? "even" : "odd", groups: [], alerts: [], jobs: [] };
      await tx.collection(snapshotCollection).insert(record);
      for (const part of [0, 1])
        await tx.collection(snapshotPartCollection).insert({ id: partId(id, part), members: {} });
    }
  });
  const left = () =>
    fleet.storage.read(async (tx) => ({
      ids: (await tx.collection(snapshotCollection).list()).map(({ id }) => id),
      parts: (await tx.collection(snapshotPartCollection).list()).length,
    }));
  return { fleet, left, cradle: probe.cradle() };
}

test("the nightly maintenance keeps the newest snapshots with all their parts", async () => {
  const { fleet, left } = await setUp({ max_rows: 3 }, 130);
  fleet.clock.step(86_400);
  await fleet.clock.advance(61);
  expect(await left()).toEqual({ ids: ["sn0127", "sn0128", "sn0129"], parts: 6 });
});

test("an age limit deletes older snapshots, whatever the number", async () => {
  const { cradle, fleet, left } = await setUp({ max_age: "5 hours" }, 70);
  await cradle.snapshots.prune(fleet.clock.now(), new AbortController().signal);
  expect((await left()).ids).toEqual(["sn0065", "sn0066", "sn0067", "sn0068", "sn0069"]);
});

test("delete_server with history deletes snapshots and watch", async () => {
  const { fleet } = await setUp({}, 0);
  const { api } = fleet.signalbox;
  const server = await joinAs(fleet);
  await fleet.minute(server, minuteData);
  await api.createSnapshot({ server: "s1" });
  await api.watchServer({ id: "s1", duration: 600 });
  server.close();
  await fleet.settle();
  await api.deleteServer({ id: "s1", history: true });
  await fleet.clock.advance(5);
  expect((await api.searchSnapshots({})).list.length).toBe(0);
  expect((await api.getGlobalState()).state["watches"]).toEqual({});
});

test("a server that is deleted with its history loses its snapshots in the background", async () => {
  const { cradle, fleet, left } = await setUp({}, 130);
  await cradle.transact(({ tx }) => cradle.snapshots.dropServer(tx, "even"));
  await fleet.clock.advance(2);
  const { ids, parts } = await left();
  expect([ids.length, parts]).toEqual([65, 130]);
  expect(ids).toContain("sn0001");
});
