import assert from "node:assert/strict";
import type { Storage } from "../../../ports/storage/storage.ts";
import type { SeriesKey, TimelinePoint } from "../../../ports/storage/timeline.ts";
import type { StorageCases } from "./storage-fixtures.ts";

const point = (bucket: number, over: Partial<TimelinePoint> = {}): TimelinePoint => ({
  epoch_div: bucket,
  date: bucket * 60,
  count: 1,
  totals: { m1: bucket, "odd \u0000 ☃": 0.1 },
  ...over,
});
const hourly: SeriesKey = { server: "s1", system: "hourly" };
const put = (storage: Storage, key: SeriesKey, ...points: TimelinePoint[]) =>
  storage.write(async (tx) => {
    for (const one of points) await tx.timeline.put(key, one);
  });
const latest = (storage: Storage, key: SeriesKey, limit: number) =>
  storage.read(async (tx) => (await tx.timeline.latest(key, limit)).map(({ epoch_div }) => epoch_div).join(" "));
const range = (storage: Storage, from: number, to: number, limit = 100) =>
  storage.read(async (tx) =>
    (await tx.timeline.range(hourly, { from, to, limit })).map(({ epoch_div }) => epoch_div).join(" "),
  );
const bounds = (storage: Storage, key = hourly) => storage.read((tx) => tx.timeline.bounds(key));

const prune = async (storage: Storage, below: number): Promise<void> => {
  while (await storage.write((tx) => tx.timeline.prune("hourly", below, 100)));
};
const tidy = async (storage: Storage, below: number): Promise<void> => {
  while (await storage.write((tx) => tx.timeline.tidy("hourly", below, 3)));
};

export const historyCases: StorageCases = {
  async "returns put points, including optional members"({ storage }) {
    const full = point(5, { alerts: { a1: true }, deltas: { d1: 0.5 }, counts: { m1: 2 } });
    await put(storage, hourly, full, point(6));
    assert.deepEqual(await storage.read((tx) => tx.timeline.latest(hourly, 10)), [full, point(6)]);
  },
  async "replaces the point of a bucket"({ storage }) {
    await put(storage, hourly, point(5), point(5, { count: 2 }));
    const found = await storage.read((tx) => tx.timeline.latest(hourly, 10));
    assert.deepEqual(found, [point(5, { count: 2 })]);
  },
  async "returns the newest points, oldest first, whatever the order of writing"({ storage }) {
    await put(storage, hourly, point(9), point(2), point(1000), point(7));
    assert.equal(await latest(storage, hourly, 3), "7 9 1000");
    assert.equal(await latest(storage, hourly, 99), "2 7 9 1000");
    assert.equal(await latest(storage, hourly, 0), "");
  },
  async "returns a range, including its lower end but not the upper, up to the limit"({ storage }) {
    await put(storage, hourly, ...[3, 1, 5, 4, 100_000].map((bucket) => point(bucket)));
    assert.equal(await range(storage, 3, 5), "3 4");
    assert.equal(await range(storage, 0, 1e9), "1 3 4 5 100000");
    assert.equal(await range(storage, 0, 1e9, 2), "1 3");
    assert.equal(await range(storage, 6, 99), "");
    assert.equal(await range(storage, 5, 3), "");
  },
  async "knows the oldest and newest bucket"({ storage }) {
    assert.equal(await bounds(storage), undefined);
    await put(storage, hourly, point(9), point(2), point(4));
    assert.deepEqual(await bounds(storage), { first: 2, last: 9 });
  },
  async "keeps servers and systems separate"({ storage }) {
    await put(storage, hourly, point(1));
    await put(storage, { server: "s2", system: "hourly" }, point(2));
    await put(storage, { server: "s1", system: "daily" }, point(3));
    assert.equal(await latest(storage, hourly, 9), "1");
    assert.deepEqual(await bounds(storage, { server: "s1", system: "daily" }), { first: 3, last: 3 });
  },
  async "prunes old points of a system by whole groups of sixty buckets, on every server"({ storage }) {
    const other = { server: "s2", system: "hourly" };
    const daily = { server: "s1", system: "daily" };
    await put(storage, hourly, ...[1, 2, 59, 60, 200].map((bucket) => point(bucket)));
    await put(storage, other, point(2), point(3));
    await put(storage, daily, point(1));
    await prune(storage, 59);
    assert.equal(await latest(storage, hourly, 9), "1 2 59 60 200");
    await prune(storage, 119);
    assert.deepEqual([await latest(storage, hourly, 9), await latest(storage, other, 9)], ["60 200", ""]);
    assert.deepEqual([await bounds(storage), await bounds(storage, other)], [{ first: 60, last: 200 }, undefined]);
    assert.equal(await latest(storage, daily, 9), "1");
    await put(storage, other, point(2));
    assert.deepEqual(await bounds(storage, other), { first: 2, last: 2 });
  },
  async "prunes a bounded number of points at a time"({ storage }) {
    await put(storage, hourly, ...Array.from({ length: 30 }, (_unused, bucket) => point(bucket)));
    assert.equal(await storage.write((tx) => tx.timeline.prune("hourly", 60, 10)), true);
    assert.equal((await latest(storage, hourly, 99)).split(" ").length, 20);
    await prune(storage, 60);
    assert.equal(await bounds(storage), undefined);
  },
  async "gives the same answers before and after packing, whatever is written later"({ storage }) {
    const odd = point(61, {
      totals: { m1: -0, m2: 0.1 + 0.2, m3: 1e300, m4: -123456789.25, ["__proto__"]: 1 },
      alerts: { "a ☃": true },
      counts: { m1: 3 },
      count: 4,
    });
    const day = Array.from({ length: 200 }, (_unused, place) =>
      point(place * 3, place % 7 === 0 ? { deltas: { d1: place / 3 } } : {}),
    );
    const other: SeriesKey = { server: "s2", system: "hourly" };
    await put(storage, hourly, ...day, odd);
    await put(storage, other, ...day.slice(50));
    const read = (key: SeriesKey) =>
      storage.read(async (tx) => [
        await tx.timeline.bounds(key),
        await tx.timeline.latest(key, 70),
        await tx.timeline.range(key, { from: 59, to: 500, limit: 1000 }),
        await tx.timeline.range(key, { from: 59, to: 500, limit: 65 }),
        await tx.timeline.range(key, { from: 0, to: 70, limit: 3 }),
      ]);
    const before = [await read(hourly), await read(other)];
    await tidy(storage, 400);
    assert.deepEqual([await read(hourly), await read(other)], before);
    await put(storage, hourly, point(63, { count: 9 }), point(62));
    const changed = await read(hourly);
    assert.deepEqual(await storage.read((tx) => tx.timeline.range(hourly, { from: 61, to: 64, limit: 9 })), [
      odd,
      point(62),
      point(63, { count: 9 }),
    ]);
    await tidy(storage, 1000);
    assert.deepEqual([await read(hourly), await read(other)], [changed, before[1]]);
  },
  async "prunes packed points"({ storage }) {
    await put(storage, hourly, ...[1, 61, 121, 181].map((bucket) => point(bucket)));
    await tidy(storage, 180);
    await prune(storage, 125);
    assert.equal(await latest(storage, hourly, 9), "121 181");
    assert.deepEqual(await bounds(storage), { first: 121, last: 181 });
    await prune(storage, 1000);
    assert.equal(await bounds(storage), undefined);
  },
  async "prunes over gaps of years in few steps"({ storage }) {
    await put(storage, hourly, point(1), point(9_000_000), point(9_000_100));
    await tidy(storage, 9_000_060);
    let steps = 1;
    while (await storage.write((tx) => tx.timeline.prune("hourly", 9_000_060, 100))) steps += 1;
    assert.equal(await latest(storage, hourly, 9), "9000100");
    assert.ok(steps < 10, `${steps} steps`);
  },
  async "drops packed points, and a server that returns starts again"({ storage }) {
    await put(storage, hourly, point(1), point(61), point(1000));
    await tidy(storage, 180);
    await storage.write((tx) => tx.timeline.drop("s1"));
    assert.equal(await bounds(storage), undefined);
    await put(storage, hourly, point(62));
    await tidy(storage, 180);
    assert.equal(await latest(storage, hourly, 9), "62");
  },
  async "writes many points of many series at once, and the last one of a bucket wins"({ storage }) {
    const entries = Array.from({ length: 150 }, (_unused, place) => ({
      server: `s${place % 100}`,
      system: "hourly",
      point: point(7, { totals: { place } }),
    }));
    await storage.write((tx) => tx.timeline.putMany(entries));
    await storage.write((tx) => tx.timeline.putMany([{ ...hourly, point: point(8), after: 7 }]));
    const found = await storage.read((tx) => tx.timeline.latest(hourly, 9));
    assert.deepEqual(found, [point(7, { totals: { place: 101 } }), point(8)]);
    assert.deepEqual(await storage.read((tx) => tx.timeline.latest({ server: "s99", system: "hourly" }, 9)), [
      point(7, { totals: { place: 99 } }),
    ]);
  },
  async "drops every system of one server"({ storage }) {
    const other = { server: "s2", system: "hourly" };
    await put(storage, hourly, point(1), point(2));
    await put(storage, { server: "s1", system: "daily" }, point(1));
    await put(storage, other, point(1));
    await storage.write((tx) => tx.timeline.drop("s1"));
    assert.deepEqual(
      [await bounds(storage), await bounds(storage, { server: "s1", system: "daily" })],
      [undefined, undefined],
    );
    assert.equal(await latest(storage, other, 9), "1");
  },
};
