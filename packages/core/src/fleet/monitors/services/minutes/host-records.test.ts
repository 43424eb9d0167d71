import { expect, test } from "vitest";
import { type Fleet, useFleets } from "../../../../../test/fleet/fleet.ts";
import { memoryStorage } from "../../../../memory/memory-storage.ts";
import type { Storage } from "../../../../ports/storage/storage.ts";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import { hostCollection } from "../../../servers/collection.ts";

const start = useFleets();

/** A storage that several engines use one after another. */
function lasting() {
  const clock = fakeClock();
  const storage = memoryStorage({ clock });
  return { clock, storage: { ...storage, close: async () => undefined } satisfies Storage };
}
const join = (fleet: Fleet, id = "s1") => fleet.agent.connect({ hostname: `host-${id}`, id });
const stored = async (storage: Storage, id = "s1"): Promise<unknown> =>
  (await storage.read((tx) => tx.collection(hostCollection).get(id)))?.data["jobs"];
const shown = async ({ signalbox }: Fleet): Promise<unknown> =>
  (await signalbox.api.getServer({ id: "s1" })).data["data"];

test("the first minute is stored, the next five only in the timeline, and reads give the newest", async () => {
  const fleet = await start();
  const server = await join(fleet);
  const seen: unknown[] = [];
  for (let jobs = 1; jobs <= 7; jobs++) {
    await fleet.minute(server, { jobs });
    seen.push(await stored(fleet.storage));
    expect(await shown(fleet)).toMatchObject({ jobs });
  }
  expect(seen[0]).toBe(1);
  expect(new Set(seen).size).toBeLessThan(4);
  const { rows } = await fleet.signalbox.api.getLatestMonitorData({ server: "s1", sys: "hourly", limit: 60 });
  expect(rows.map((row) => row["active_jobs"])).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("a record that is only in memory is stored when the server leaves", async () => {
  const fleet = await start();
  const server = await join(fleet);
  for (let jobs = 1; jobs <= 3; jobs++) await fleet.minute(server, { jobs });
  server.close();
  await fleet.settle();
  expect(await stored(fleet.storage)).toBe(3);
});

test("a record that is only in memory is stored when the engine stops", async () => {
  const { clock, storage } = lasting();
  const fleet = await start({ clock, storage });
  const server = await join(fleet);
  for (let jobs = 1; jobs <= 3; jobs++) await fleet.minute(server, { jobs });
  await fleet.signalbox.stop();
  expect(await stored(storage)).toBe(3);
});

test("a deleted server leaves nothing", async () => {
  const fleet = await start();
  const server = await join(fleet);
  for (let jobs = 1; jobs <= 3; jobs++) await fleet.minute(server, { jobs });
  server.close();
  await fleet.signalbox.api.deleteServer({ id: "s1", history: true });
  await fleet.settle();
  expect(await fleet.storage.read((tx) => tx.collection(hostCollection).list())).toEqual([]);
});

test("rates continue from the newest minute although the stored record is older", async () => {
  const { clock, storage } = lasting();
  const before = await start({ clock, storage });
  const server = await join(before);
  for (const rx of [0, 60_000, 120_000]) await before.minute(server, { stats: { fs: { rx } } });
  const killed = await storage.read((tx) => tx.collection(hostCollection).get("s1"));
  await before.signalbox.stop();
  // Restores the record that a killed process would have left.
  if (killed) await storage.write((tx) => tx.overwrite(hostCollection, [{ id: "s1", json: JSON.stringify(killed) }]));

  const after = await start({ clock, storage });
  await after.minute(await join(after), { stats: { fs: { rx: 180_000 } } });
  const { data } = await after.signalbox.api.getServer({ id: "s1" });
  expect(data).toMatchObject({ data: { deltas: { disk_read_sec: 1000 } } });
});
