import { expect, test } from "vitest";
import { areaPath, bandPath, drawnOf, gapsOf, linePath, stretchesOf } from "./path.ts";

/** 2,000 units across in 200 seconds, and 1,000 up to 10. */
const frame = { from: 0, to: 200, low: 0, high: 10 };
const lists = { times: [0, 50, 100, 150, 200], step: 50 };

test("nothing is where reports are missing, and where they say nothing", () => {
  expect(gapsOf({ times: [0, 60, 120, 600, 660], step: 60 }, [1, 2, 3, 4, 5])).toEqual([[120, 600]]);
  expect(gapsOf({ times: [0, 60, 120, 180], step: 60 }, [1, null, null, 4])).toEqual([[0, 180]]);
  expect(gapsOf({ times: [0, 60, 120], step: 60 }, [1, 2, 3])).toEqual([]);
  expect(gapsOf({ times: [], step: 60 }, [])).toEqual([]);
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

test("a line goes from point to point and stops at gaps; a value alone is a dot", () => {
  expect(linePath(lists, [0, 10, null, 5, null], frame)).toBe("M0 1000l0 0 500 -1000M1500 500l0 0");
});

test("a line that comes late is no line", () => {
  expect(linePath({ times: [0, 50, 150], step: 50 }, [5, 5, 5], frame)).toBe("M0 500l0 0 500 0M1500 500l0 0");
});

test("an area stands on zero, or on the edge that is nearest to it", () => {
  expect(areaPath({ times: [0, 200], step: 200 }, [5, 10], frame)).toBe("M0 1000L0 500l0 0 2000 -500V1000Z");
  expect(areaPath({ times: [0, 200], step: 200 }, [5, -5], { ...frame, low: -10 })).toBe(
    "M0 500L0 250l0 0 2000 500V500Z",
  );
  expect(areaPath({ times: [0, 200], step: 200 }, [5, 10], { ...frame, low: 5 })).toBe(
    "M0 1000L0 1000l0 0 2000 -1000V1000Z",
  );
});

test("a band goes along its upper edge and back along its lower one", () => {
  expect(bandPath({ times: [0, 200], step: 200 }, { low: [0, 0], high: [5, 10] }, frame)).toBe(
    "M0 500l0 0 2000 -500L2000 1000l0 0 -2000 0Z",
  );
});

test("of many values in one column the lowest and the highest are drawn, and both ends", () => {
  const times = Array.from({ length: 4801 }, (_, at) => at);
  const values = times.map((at) => (at === 1234 ? 9 : at === 1238 ? 1 : 5));
  const drawn = drawnOf({ times, step: 1 }, values, { ...frame, to: 4800 }, [0, 4800]);
  expect(drawn.length).toBeLessThanOrEqual(2 * 480 + 2);
  expect(drawn).toEqual(expect.arrayContaining([0, 1234, 1238, 4800]));
  expect(drawn).toEqual(drawn.toSorted((left, right) => left - right));
  expect(new Set(drawn).size).toBe(drawn.length);
});

test("what has room is drawn whole, also where a part of it is seen", () => {
  const times = Array.from({ length: 400 }, (_, at) => at);
  const values = times.map(() => 5);
  expect(drawnOf({ times, step: 1 }, values, { ...frame, to: 400 }, [0, 399])).toHaveLength(400);
  expect(drawnOf({ times, step: 1 }, values, { ...frame, to: 100 }, [0, 399])).toHaveLength(400);
});
