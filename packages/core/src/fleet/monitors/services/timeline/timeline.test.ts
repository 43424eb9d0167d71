import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../../../memory/memory-storage.ts";
import type { Storage } from "../../../../ports/storage/storage.ts";
import type { SeriesHead } from "../../model.ts";
import { type Bucket, SYSTEMS, type System } from "../../model.ts";
import { foldPoints, minutePoint, type TimelineSample } from "../../rules/timeline/timeline-merge.ts";
import { timelineReader } from "./timeline-reader.ts";
import { timelineWriter } from "./timeline-writer.ts";

const open = async (): Promise<Storage> => {
  const storage = memoryStorage();
  await storage.open([]);
  return storage;
};
const headOf = (storage: Storage, server = "s1") => storage.read((tx) => timelineWriter.head(tx, server));
const append = (storage: Storage, head: SeriesHead, sample: TimelineSample) =>
  storage.write((tx) => timelineWriter.append(tx, "s1", head, sample));
const readAll = (storage: Storage, system: System, server = "s1"): Promise<Bucket[]> =>
  storage.read(async (tx) => {
    const reader = timelineReader(tx, server);
    const extent = await reader.extent(system);
    return extent ? reader.points(system, extent.first, extent.last + 1) : [];
  });
const stored = (storage: Storage, system: System) =>
  storage.read((tx) => tx.timeline.latest({ server: "s1", system }, 1_000_000));
const sampleAt = (minute: number, value = 1): TimelineSample => ({
  date: minute * 60 + 7,
  monitors: { load: value },
  deltas: {},
  alerts: {},
});

describe("the timelines of a server", () => {
  const values = fc.integer({ min: -1000, max: 1000 });
  const readings = fc.dictionary(fc.constantFrom("a", "b", "c"), values);
  const step = fc.record({
    gap: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2000 })),
    monitors: readings,
    deltas: readings,
    alerts: fc.dictionary(fc.constantFrom("x", "y"), fc.constant(true as const)),
    restarts: fc.boolean(),
  });

  test("equal the sums of all minutes, wherever the writer restarts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 5000 }), fc.array(step, { maxLength: 60 }), async (start, steps) => {
        const storage = await open();
        const minutes: Bucket[] = [];
        let head = await headOf(storage);
        let minute = start;
        for (const { gap, restarts, ...members } of steps) {
          minute += gap;
          const sample = { date: minute * 60, ...members };
          head = await append(storage, restarts ? await headOf(storage) : head, sample);
          minutes.push(minutePoint(sample));
          expect(await headOf(storage)).toEqual(head);
        }
        for (const system of SYSTEMS)
          expect(await readAll(storage, system)).toEqual(system === "hourly" ? minutes : foldPoints(minutes, system));
      }),
      { numRuns: 60 },
    );
  });

  test("of a part lie within that part", async () => {
    const storage = await open();
    let head = await headOf(storage);
    for (let minute = 0; minute < 200; minute++) head = await append(storage, head, sampleAt(minute));
    const points = (system: System, from: number, to: number) =>
      storage.read((tx) => timelineReader(tx, "s1").points(system, from, to));
    expect((await points("daily", 10, 12)).map(({ epoch_div, count }) => [epoch_div, count])).toEqual([
      [10, 2],
      [11, 2],
    ]);
    expect((await points("monthly", 2, 9)).map(({ epoch_div, count }) => [epoch_div, count])).toEqual([
      [2, 60],
      [3, 20],
    ]);
    expect(await points("monthly", 0, 3)).toHaveLength(3);
    expect(await points("yearly", 1, 5)).toEqual([]);
  });
});

describe("writing a minute", () => {
  test("writes one point, and only completed hours and half-days", async () => {
    const storage = await open();
    let head = await headOf(storage);
    for (const minute of [58, 59]) head = await append(storage, head, sampleAt(minute));
    expect([await stored(storage, "monthly"), await stored(storage, "daily")]).toEqual([[], []]);
    head = await append(storage, head, sampleAt(60));
    expect(await stored(storage, "monthly")).toEqual([{ epoch_div: 0, date: 0, count: 2, totals: { load: 2 } }]);
    expect(await stored(storage, "yearly")).toEqual([]);
    await append(storage, head, sampleAt(720));
    expect(await stored(storage, "yearly")).toEqual([{ epoch_div: 0, date: 0, count: 3, totals: { load: 3 } }]);
  });

  test("refuses a stored or an older minute, before anything is written", async () => {
    const storage = await open();
    const head = await append(storage, await headOf(storage), sampleAt(60));
    expect(timelineWriter.refusal(head, 60 * 60 + 59)).toBe("duplicate");
    expect(timelineWriter.refusal(head, 60 * 60 - 1)).toBe("late");
    expect(timelineWriter.refusal(head, 61 * 60)).toBeUndefined();
    expect(timelineWriter.refusal({ minute: undefined }, 5)).toBeUndefined();
    await expect(append(storage, head, sampleAt(60, 5))).rejects.toThrow("refused a checked sample");
    expect(await stored(storage, "hourly")).toHaveLength(1);
  });

  test("the minutes of many servers are written like single ones", async () => {
    const storage = await open();
    const heads = await storage.write((tx) =>
      timelineWriter.appendMany(
        tx,
        ["s1", "s2"].map((server, place) => ({ server, head: { minute: undefined }, sample: sampleAt(5, place) })),
      ),
    );
    expect(heads).toEqual([await headOf(storage, "s1"), await headOf(storage, "s2")]);
    expect((await readAll(storage, "hourly", "s2")).map(({ totals }) => totals)).toEqual([{ load: 1 }]);
  });

  test("a sum that an older version stored too early is replaced by the sum of all its minutes", async () => {
    const storage = await open();
    let head = await headOf(storage);
    for (const minute of [1, 2]) head = await append(storage, head, sampleAt(minute));
    const early = { epoch_div: 0, date: 0, count: 1, totals: { load: 1 } };
    await storage.write((tx) => tx.timeline.put({ server: "s1", system: "monthly" }, early));
    expect((await readAll(storage, "monthly")).map(({ count }) => count)).toEqual([2]);
    await append(storage, head, sampleAt(70));
    expect((await stored(storage, "monthly")).map(({ count }) => count)).toEqual([2]);
  });
});
