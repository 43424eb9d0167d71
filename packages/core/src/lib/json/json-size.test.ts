import fc from "fast-check";
import { expect, test } from "vitest";
import { isLargeData, isLargeRecord, isSurelyLonger } from "./json-size.ts";

test("never reports a text as longer that fits", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, limit) => {
      fc.pre(JSON.stringify(value).length <= limit);
      expect(isSurelyLonger(value, limit)).toBe(false);
    }),
  );
});

test.each<[string, unknown, number, boolean]>([
  ["a text over the limit", "x".repeat(101), 100, true],
  ["a text inside of lists and objects", [{ a: [{ b: "x".repeat(200) }] }], 100, true],
  ["names", { ["n".repeat(200)]: 1 }, 100, true],
  ["many numbers", Array.from({ length: 60 }, () => 1), 100, true],
  ["a member without a JSON text", { a: undefined, b: 1 }, 10, false],
  ["what fits", { a: "x".repeat(80) }, 100, false],
])("%s", (_what, value, limit, expected) => {
  expect(isSurelyLonger(value, limit)).toBe(expected);
});

test.each<[unknown, number, boolean]>([
  [{ a: "x".repeat(10) }, 18, false],
  [{ a: "x".repeat(10) }, 17, true],
  [{ a: "☃".repeat(4) }, 20, false],
  [{ a: "☃".repeat(4) }, 19, true],
  [{ a: "\n".repeat(10) }, 27, true],
  [[], 2, false],
])("%j with at most %i bytes is too large: %s", (data, limit, expected) => {
  expect(isLargeData(data, limit)).toBe(expected);
});

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, at = 0) => Object.fromEntries(many(count, (n) => [`m${at}_${n}`, n]));

test.each<[string, unknown, boolean]>([
  [
    "a graph of a thousand nodes",
    { nodes: many(1000, (at) => ({ id: `n${at}`, type: "job", x: at, y: 0, data: {} })) },
    false,
  ],
  ["50,000 numbers", { list: many(50_000, (at) => at) }, false],
  ["50,001 numbers, in two lists", { a: many(25_000, (at) => at), b: many(25_001, (at) => at) }, true],
  ["16,002 members of like objects", { list: many(8001, (at) => ({ a: at, b: at })) }, true],
  ["15,998 members of like objects", { list: many(7999, (at) => ({ a: at, b: at })) }, false],
  ["5,000 names", named(5000), false],
  ["5,001 names", named(5001), true],
  ["as many names, in several objects", { a: named(2500, 1), b: named(2500, 2) }, true],
  ["the same names again and again", { a: many(10, () => named(1000)) }, false],
  ["a text over the limit", { a: "x".repeat(1_048_576) }, true],
])("a record with %s is too large: %#", (_what, record, expected) => {
  expect(isLargeRecord(record, 1_048_576)).toBe(expected);
});

test("data may have more names than a record", () => {
  expect(isLargeData({ a: named(4900, 1), b: named(4900, 2), c: named(4900, 3), d: named(4900, 4) }, 1_048_576)).toBe(
    false,
  );
  expect(isLargeData(Object.fromEntries(many(5, (at) => [`p${at}`, named(4900, at)])), 1_048_576)).toBe(true);
});
