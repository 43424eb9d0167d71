import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Bucket } from "../model.ts";
import { placeSample, type TimelineSample } from "./timeline-merge.ts";
import { historicalRange, latestRange, rowsOf, systemNamed } from "./timeline-rows.ts";

const sample = (
  date: number,
  monitors: Record<string, number>,
  members: Partial<TimelineSample> = {},
): TimelineSample => ({
  date,
  monitors,
  deltas: {},
  alerts: {},
  ...members,
});
const put = (last: Bucket | undefined, next: TimelineSample): Bucket => {
  const placed = placeSample(last, next, "daily");
  if (placed.kind !== "put") throw new Error(placed.kind);
  return placed.point;
};

describe("placeSample", () => {
  test("starts a bucket with the sample alone", () => {
    expect(placeSample(undefined, sample(1234, { a: 5 }), "hourly")).toEqual({
      kind: "put",
      point: { epoch_div: 20, date: 1200, count: 1, totals: { a: 5 } },
    });
  });
  test("refuses a second sample of a minute in the minute list", () => {
    const first = put(undefined, sample(1234, { a: 5 }));
    expect(placeSample({ ...first, epoch_div: 20 }, sample(1250, { a: 5 }), "hourly").kind).toBe("duplicate");
  });
  test("refuses a sample older than the newest bucket", () => {
    expect(placeSample(put(undefined, sample(2400, {})), sample(1234, {}), "daily").kind).toBe("late");
  });
  test("adds up values, deltas and alerts within a bucket", () => {
    const first = put(undefined, sample(1200, { a: 1, b: 2 }, { deltas: { b: 3 }, alerts: { x: true } }));
    expect(put(first, sample(1260, { a: 4, b: 5 }, { deltas: { b: 6 }, alerts: { y: true } }))).toEqual({
      epoch_div: 10,
      date: 1200,
      count: 2,
      totals: { a: 5, b: 7 },
      deltas: { b: 9 },
      alerts: { x: true, y: true },
    });
  });
  test("counts apart what has another number of samples than the bucket", () => {
    const first = put(undefined, sample(1200, { a: 1, gone: 1 }));
    expect(put(first, sample(1260, { a: 1, late: 1 })).counts).toEqual({ gone: 1, late: 1 });
  });
  test("totals and counts of any run of samples are those of a plain sum", () => {
    const samples = fc.array(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: -1000, max: 1000 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(samples, (list) => {
        const merged = list.reduce<Bucket | undefined>((last, each) => put(last, sample(1200, each)), undefined);
        for (const id of ["a", "b", "c"]) {
          const values = list.flatMap((each) => (Object.hasOwn(each, id) ? [each[id] ?? 0] : []));
          const sum = values.reduce((total, value) => total + value, 0);
          expect(merged?.totals[id] ?? 0).toBe(sum);
          if (values.length > 0) expect(merged?.counts?.[id] ?? merged?.count).toBe(values.length);
        }
      }),
    );
  });
});

describe("rowsOf", () => {
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
    ["is empty when all lie before the first one", { date: 60, limit: 4 }, undefined],
    ["is empty after the last one", { date: 6720, limit: 4 }, undefined],
    ["ends with the list", { date: 6600, limit: 50 }, { from: 110, to: 111 }],
    ["is empty for times that do not exist", { date: 8_640_000_000_001, limit: 4 }, undefined],
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
])("the name %s means the list %s", (name, expected) => {
  expect(systemNamed(name)).toBe(expected);
});
