import fc from "fast-check";
import { expect, test } from "vitest";
import { isSurelyLonger } from "./json-size.ts";

test("never calls longer what is not", () => {
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
  ["a member that has no JSON text", { a: undefined, b: 1 }, 10, false],
  ["what fits", { a: "x".repeat(80) }, 100, false],
])("%s", (_what, value, limit, expected) => {
  expect(isSurelyLonger(value, limit)).toBe(expected);
});
