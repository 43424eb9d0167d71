import { expect, test } from "vitest";
import { memoryStorage } from "../../../../memory/memory-storage.ts";
import { fakeClock } from "../../../../testing/fake-clock.ts";
import type { SeriesPlace } from "../../model.ts";
import { ownSeries } from "./own-series.ts";

/** 10:58 of a day. */
const BEGIN = 1_800_010_680;
const key = "check:shop";

async function setUp() {
  const storage = memoryStorage({ clock: fakeClock(BEGIN) });
  await storage.open([]);
  let at: SeriesPlace | undefined;
  const add = async (date: number, values: Record<string, number>) => {
    const [place] = await storage.write((tx) => ownSeries.add(tx, [{ key, date, values, at }]));
    // Round trip through JSON, as when it is stored in a record.
    at = JSON.parse(JSON.stringify(place)) as SeriesPlace;
  };
  const read = (system: "hourly" | "monthly", date?: number) =>
    storage.read((tx) => ownSeries.read(tx, key, { system, date, limit: 10 }));
  const forgetPlace = () => {
    at = undefined;
  };
  return { add, read, storage, forgetPlace };
}

test("samples of a minute are one point, and a value has an average of its own", async () => {
  const { add, read } = await setUp();
  await add(BEGIN, { up: 1, ms: 10 });
  await add(BEGIN + 10, { up: 0 });
  await add(BEGIN + 20, { up: 1, ms: 30 });
  await add(BEGIN + 60, { up: 1, ms: 50 });
  expect(await read("hourly")).toMatchObject({ date: BEGIN, length: 2, monitors: { up: [0.66667, 1], ms: [20, 50] } });
});

test("hours sum up their minutes, also when some were written by an earlier run", async () => {
  const { add, read, forgetPlace } = await setUp();
  await add(BEGIN, { up: 1, ms: 10 });
  await add(BEGIN + 30, { up: 0 });
  forgetPlace();
  await add(BEGIN + 60, { up: 1, ms: 40 });
  await add(BEGIN + 120, { up: 1, ms: 100 });
  expect(await read("monthly")).toMatchObject({ length: 2, monitors: { up: [0.66667, 1], ms: [25, 100] } });
});

test("a clock that went back changes no stored point", async () => {
  const { add, read } = await setUp();
  await add(BEGIN + 60, { up: 1 });
  await add(BEGIN, { up: 0 });
  await add(BEGIN + 120, { up: 1 });
  expect(await read("hourly", BEGIN)).toMatchObject({ date: BEGIN + 60, monitors: { up: [1, 1] } });
});

test("a dropped series is gone", async () => {
  const { add, read, storage } = await setUp();
  await add(BEGIN, { up: 1 });
  await storage.write((tx) => ownSeries.drop(tx, key));
  expect(await read("hourly")).toBeUndefined();
});
