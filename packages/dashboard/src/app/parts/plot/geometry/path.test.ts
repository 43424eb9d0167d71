import { expect, test } from "vitest";
import { areaPath, bandPath, drawnOf, gapsOf, linePath, stretchesOf, waysOf } from "./path.ts";

/** 2,000 units across represent 200 seconds, and 1,000 units upwards represent 10. */
const frame = { from: 0, to: 200, low: 0, high: 10 };
const lists = { times: [0, 50, 100, 150, 200], step: 50 };

test.each([
  ["reports are missing", [0, 60, 120, 600, 660], [1, 2, 3, 4, 5], [[120, 600]]],
  ["reports say nothing", [0, 60, 120, 180], [1, null, null, 4], [[0, 180]]],
  ["no period is over", [0, 60, 120], [1, 2, 3], []],
  ["there are no reports", [], [], []],
])("gaps where %s", (_where, times, values, expected) => {
  expect(gapsOf(waysOf({ times, step: 60 }, values, frame))).toEqual(expected);
});

test.each([
  ["whole", [1, 2, 3, 4, 5], [[0, 4]]],
  [
    "with a gap",
    [1, 2, null, 4, 5],
    [
      [0, 1],
      [3, 4],
    ],
  ],
  ["with gaps at its ends", [null, 2, 3, 4, null], [[1, 3]]],
  [
    "of single values",
    [1, null, 3, null, 5],
    [
      [0, 0],
      [2, 2],
      [4, 4],
    ],
  ],
  ["of nothing", [null, null, null, null, null], []],
])("a list %s", (_what, values, expected) => {
  expect(stretchesOf(lists, values)).toEqual(expected);
});

test("a line goes from point to point and stops at gaps; a single value is a dot", () => {
  expect(linePath(waysOf(lists, [0, 10, null, 5, null], frame))).toBe("M0 1000l0 0 500 -1000M1500 500l0 0");
});

test("no line is drawn to a value that comes late", () => {
  expect(linePath(waysOf({ times: [0, 50, 150], step: 50 }, [5, 5, 5], frame))).toBe("M0 500l0 0 500 0M1500 500l0 0");
});

test.each([
  ["on zero", frame, [5, 10], "M0 1000L0 500l0 0 2000 -500V1000Z"],
  ["on zero between its edges", { ...frame, low: -10 }, [5, -5], "M0 500L0 250l0 0 2000 500V500Z"],
  ["on the edge that is nearest to zero", { ...frame, low: 5 }, [5, 10], "M0 1000L0 1000l0 0 2000 -1000V1000Z"],
])("an area stands %s", (_where, edges, values, expected) => {
  expect(areaPath(waysOf({ times: [0, 200], step: 200 }, values, edges), edges)).toBe(expected);
});

test("a band runs along its upper edge and back along its lower one", () => {
  expect(bandPath({ times: [0, 200], step: 200 }, { low: [0, 0], high: [5, 10] }, frame)).toBe(
    "M0 500l0 0 2000 -500L2000 1000l0 0 -2000 0Z",
  );
});

test("of many values in one column the lowest and the highest are drawn, and both ends", () => {
  const times = Array.from({ length: 4801 }, (_, at) => at);
  const values = times.map((at) => (at === 1234 ? 9 : at === 1238 ? 1 : 5));
  const drawn = drawnOf({ times, step: 1 }, values, { ...frame, to: 4800 }, [0, 4800]);
  expect(drawn.length).toBeLessThanOrEqual(2 * 240 + 2);
  expect(drawn).toEqual(expect.arrayContaining([0, 1234, 1238, 4800]));
  expect(drawn).toEqual(drawn.toSorted((left, right) => left - right));
  expect(new Set(drawn).size).toBe(drawn.length);
});

test("a list that fits is drawn completely, also where only a part of it is visible", () => {
  const times = Array.from({ length: 400 }, (_, at) => at);
  const values = times.map(() => 5);
  expect(drawnOf({ times, step: 1 }, values, { ...frame, to: 400 }, [0, 399])).toHaveLength(400);
  expect(drawnOf({ times, step: 1 }, values, { ...frame, to: 100 }, [0, 399])).toHaveLength(400);
});
