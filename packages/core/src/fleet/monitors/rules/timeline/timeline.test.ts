import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bucket } from "../../model.ts";
import { bucketOf, foldPoints, mergeBuckets, minutePoint, type TimelineSample, widenPoint } from "./timeline-merge.ts";
import { columnsOf, historicalRange, latestRange, rowsOf, systemNamed } from "./timeline-rows.ts";

const sample = (
  date: number,
  monitors: Record<string, number>,
  members: Partial<TimelineSample> = {},
): TimelineSample => ({ date, monitors, deltas: {}, alerts: {}, ...members });
const point = (...about: Parameters<typeof sample>): Bucket => minutePoint(sample(...about));

describe("mergeBuckets", () => {
  test("a sample alone is the point of its minute", () => {
    expect(point(1234, { a: 5 })).toEqual({ epoch_div: 20, date: 1200, count: 1, totals: { a: 5 } });
  });
  test("adds up values, deltas and alerts, at the time of the first", () => {
    const first = point(1200, { a: 1, b: 2 }, { deltas: { b: 3 }, alerts: { x: true } });
    const second = point(1260, { a: 4, b: 5 }, { deltas: { b: 6 }, alerts: { y: true } });
    expect(mergeBuckets(widenPoint(first, "daily"), second)).toEqual({
      epoch_div: 10,
      date: 1200,
      count: 2,
      totals: { a: 5, b: 7 },
      deltas: { b: 9 },
      alerts: { x: true, y: true },
    });
  });
  test("counts monitors separately that have another number of samples than the bucket", () => {
    expect(mergeBuckets(point(1200, { a: 1, gone: 1 }), point(1260, { a: 1, late: 1 })).counts).toEqual({
      gone: 1,
      late: 1,
    });
  });
  test("a separate count is dropped when it equals the bucket's count again", () => {
    const half = mergeBuckets(point(0, { a: 1 }), point(60, { a: 1, b: 2 }));
    expect(mergeBuckets(half, { ...half, counts: { b: 3 } }).counts).toBeUndefined();
  });
  test("a monitor may be named like an inherited member of objects", () => {
    expect(mergeBuckets(point(0, { a: 1 }), point(60, { a: 1, constructor: 2 })).totals).toEqual({
      a: 2,
      constructor: 2,
    });
  });
});

const ids = ["a", "b", "c"];
const readings = fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: -1000, max: 1000 }));
const anySample = fc.record({
  monitors: readings,
  deltas: readings,
  alerts: fc.dictionary(fc.constantFrom("x", "y"), fc.constant(true as const)),
});
const minutesOf = (list: readonly Omit<TimelineSample, "date">[]): Bucket[] =>
  list.map((each, place) => minutePoint({ ...each, date: place * 60 }));

describe("folding", () => {
  test("does not depend on how minutes are grouped", () => {
    const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(anySample, { minLength: 1, maxLength: 40 }), cuts, (list, places) => {
        const minutes = minutesOf(list);
        const ends = [...new Set([0, ...places, minutes.length])].sort((x, y) => x - y);
        const groups = ends.flatMap((end, at) => foldPoints(minutes.slice(end, ends[at + 1]), "yearly"));
        expect(foldPoints(groups, "yearly")).toEqual(foldPoints(minutes, "yearly"));
      }),
    );
  });
  test("minutes through hours gives their half-days", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 3000 }), anySample), { maxLength: 60 }), (list) => {
        const dated = new Map(list.map(([minute, each]) => [minute, minutePoint({ ...each, date: minute * 60 })]));
        const minutes = [...dated.values()].sort((x, y) => x.epoch_div - y.epoch_div);
        expect(foldPoints(foldPoints(minutes, "monthly"), "yearly")).toEqual(foldPoints(minutes, "yearly"));
        for (const folded of foldPoints(minutes, "daily")) expect(folded.date).toBe(folded.epoch_div * 120);
      }),
    );
  });
  test("gives the totals and counts of a plain sum", () => {
    fc.assert(
      fc.property(fc.array(anySample, { minLength: 1, maxLength: 12 }), (list) => {
        const [merged] = foldPoints(minutesOf(list), "monthly");
        for (const id of ids) {
          const values = list.flatMap(({ monitors }) => (Object.hasOwn(monitors, id) ? [monitors[id] ?? 0] : []));
          expect(merged?.totals[id] ?? 0).toBe(values.reduce((total, value) => total + value, 0));
          if (values.length > 0) expect(merged?.counts?.[id] ?? merged?.count).toBe(values.length);
        }
      }),
    );
  });
  test("keeps the points of different buckets apart", () => {
    const minutes = [point(0, { a: 1 }), point(60, { a: 2 }), point(3600, { a: 4 })];
    expect(foldPoints(minutes, "daily").map(({ totals }) => totals["a"])).toEqual([3, 4]);
    expect(minutes.map((each) => bucketOf(each, "monthly"))).toEqual([0, 0, 1]);
  });
});

describe("rowsOf and columnsOf", () => {
  const monitors = new Map([
    ["plain", { delta: false, whole: false }],
    ["whole", { delta: false, whole: true }],
    ["rate", { delta: true, whole: true }],
  ]);
  const point: Bucket = {
    epoch_div: 10,
    date: 1200,
    count: 2,
    totals: { plain: 5, whole: 5, rate: 9000, old: 3 },
    deltas: { rate: 21 },
  };
  test("averages per monitor, rates from the deltas, and keeps the stored members", () => {
    expect(rowsOf([point], { system: "daily", from: 10, to: 11 }, monitors)).toEqual([
      { ...point, epoch: 1200, plain: 2.5, whole: 2, rate: 10, old: 1.5 },
    ]);
  });
  test("divides by the samples of the monitor, not of the bucket", () => {
    const [row] = rowsOf([{ ...point, counts: { plain: 1 } }], { system: "daily", from: 10, to: 11 }, monitors);
    expect(row?.["plain"]).toBe(5);
  });
  test("shows a bucket without a sample by its number and time", () => {
    expect(rowsOf([point], { system: "daily", from: 9, to: 11 }, monitors)[0]).toEqual({ epoch_div: 9, epoch: 1080 });
  });
  test("columns contain the values of rows by monitor, and null where a row has none", () => {
    const later: Bucket = { epoch_div: 12, date: 1440, count: 3, totals: { plain: 1, late: 3e12 } };
    const range = { system: "daily", from: 9, to: 13 } as const;
    expect(columnsOf([point, later], range, { monitors })).toEqual({
      ...{ date: 1080, step: 120, length: 4 },
      monitors: {
        plain: [null, 2.5, null, 0.33333],
        whole: [null, 2, null, null],
        rate: [null, 10, null, null],
        old: [null, 1.5, null, null],
        late: [null, null, null, 1e12],
      },
    });
    const few = columnsOf([later], range, { monitors, wanted: new Set(["late", "nobody"]) });
    expect(Object.keys(few.monitors)).toEqual(["late"]);
  });
  test.each([
    [1 / 3, 0.33333],
    [-2 / 3, -0.66667],
    [0.001234567, 0.001234567],
    [1e9 + 1 / 4, 1e9 + 1 / 4],
    [0, 0],
  ])("a column rounds %d to %d", (value, shown) => {
    const bucket: Bucket = { epoch_div: 1, date: 60, count: 1, totals: { plain: value } };
    const { monitors: found } = columnsOf([bucket], { system: "hourly", from: 1, to: 2 }, { monitors });
    expect(found["plain"]).toEqual([shown]);
  });
});

describe("ranges", () => {
  const bounds = { first: 100, last: 110 };
  test.each([
    ["the newest rows", 3, { from: 108, to: 111 }],
    ["the whole list when it is shorter", 99, { from: 100, to: 111 }],
    ["nothing for 0", 0, undefined],
  ])("the latest range is %s", (_fact, limit, expected) => {
    expect(latestRange("hourly", bounds, limit)).toEqual(expected && { system: "hourly", ...expected });
  });
  test.each([
    ["starts at the bucket of the time", { date: 6090, limit: 2 }, { from: 101, to: 103 }],
    ["counts buckets before the first one", { date: 5880, limit: 4 }, { from: 100, to: 102 }],
    ["is empty when all are before the first one", { date: 60, limit: 4 }, undefined],
    ["is empty after the last one", { date: 6720, limit: 4 }, undefined],
    ["ends with the list", { date: 6600, limit: 50 }, { from: 110, to: 111 }],
    ["is empty for impossible times", { date: 8_640_000_000_001, limit: 4 }, undefined],
  ])("the historical range %s", (_fact, wanted, expected) => {
    expect(historicalRange("hourly", bounds, wanted)).toEqual(expected && { system: "hourly", ...expected });
  });
  test("there is no range without points", () => {
    expect([latestRange("hourly", undefined, 5), historicalRange("hourly", undefined, { date: 0, limit: 5 })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ["hourly", "hourly"],
  ["minute", "hourly"],
  ["hour", "monthly"],
  ["day", "yearly"],
  ["weekly", undefined],
  ["constructor", undefined],
])("the name %s selects the list %s", (name, expected) => {
  expect(systemNamed(name)).toBe(expected);
});
