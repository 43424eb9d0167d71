import { expect, test } from "vitest";
import { rangeOf } from "./range.ts";

test.each([
  [{}, { name: "hour", from: 6420, to: 10_020 }],
  [{ range: "minute" }, { name: "minute", from: 9950, to: 10_010 }],
  [{ range: "decade" }, { name: "hour", from: 6420, to: 10_020 }],
  [
    { range: "day", from: "1000", to: "5000" },
    { name: undefined, from: 1000, to: 5000 },
  ],
  [
    { from: "1000", to: "1100" },
    { name: undefined, from: 900, to: 1200 },
  ],
  [
    { from: "5000", to: "1000" },
    { name: "hour", from: 6420, to: 10_020 },
  ],
  [
    { from: "x", to: "9" },
    { name: "hour", from: 6420, to: 10_020 },
  ],
])("%j shows %j", (query, range) => {
  expect(rangeOf(query as Record<string, string>, 10_010)).toEqual(range);
});
