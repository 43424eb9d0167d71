import assert from "node:assert/strict";
import type { Storage } from "../../ports/storage.ts";
import type { SeriesKey, TimelinePoint } from "../../ports/timeline.ts";
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

export const historyCases: StorageCases = {
  async "gives back what was put, optional members included"({ storage }) {
    const full = point(5, { alerts: { a1: true }, deltas: { d1: 0.5 }, counts: { m1: 2 } });
    await put(storage, hourly, full, point(6));
    assert.deepEqual(await storage.read((tx) => tx.timeline.latest(hourly, 10)), [full, point(6)]);
  },
  async "replaces the point of a bucket"({ storage }) {
    await put(storage, hourly, point(5), point(5, { count: 2 }));
    const found = await storage.read((tx) => tx.timeline.latest(hourly, 10));
    assert.deepEqual(found, [point(5, { count: 2 })]);
  },
  async "gives the newest points, oldest first, whatever the order of writing"({ storage }) {
    await put(storage, hourly, point(9), point(2), point(1000), point(7));
    assert.equal(await latest(storage, hourly, 3), "7 9 1000");
    assert.equal(await latest(storage, hourly, 99), "2 7 9 1000");
    assert.equal(await latest(storage, hourly, 0), "");
  },
  async "gives a range, lower end included, upper end not, at most the limit"({ storage }) {
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
  async "keeps servers and systems apart"({ storage }) {
    await put(storage, hourly, point(1));
    await put(storage, { server: "s2", system: "hourly" }, point(2));
    await put(storage, { server: "s1", system: "daily" }, point(3));
    assert.equal(await latest(storage, hourly, 9), "1");
    assert.deepEqual(await bounds(storage, { server: "s1", system: "daily" }), { first: 3, last: 3 });
  },
  async "prunes the oldest points of a system, bounded, on every server"({ storage }) {
    const other = { server: "s2", system: "hourly" };
    const daily = { server: "s1", system: "daily" };
    await put(storage, hourly, ...[1, 2, 3, 9].map((bucket) => point(bucket)));
    await put(storage, other, point(2), point(3));
    await put(storage, daily, point(1));
    const prune = (limit: number) => storage.write((tx) => tx.timeline.prune("hourly", 4, limit));
    assert.equal(await prune(3), 3);
    assert.deepEqual([await latest(storage, hourly, 9), await latest(storage, other, 9)], ["3 9", "3"]);
    assert.equal(await prune(100), 2);
    assert.equal(await prune(100), 0);
    assert.deepEqual([await bounds(storage), await bounds(storage, other)], [{ first: 9, last: 9 }, undefined]);
    assert.equal(await latest(storage, daily, 9), "1");
    await put(storage, other, point(2));
    assert.deepEqual(await bounds(storage, other), { first: 2, last: 2 });
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
