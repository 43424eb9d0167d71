import { expect, test } from "vitest";
import { scaledUnit, unitText } from "./unit.ts";

test.each([
  [0.0041, { kind: "float" }, "0.0041"],
  [0.625, { kind: "float" }, "0.63"],
  [4.126, { kind: "float", suffix: "%" }, "4.13 %"],
  [0, { kind: "float" }, "0"],
  [2_400_000, { kind: "bytes", suffix: "/sec" }, "2.29 MB/s"],
  [1.6, { kind: "integer" }, "2"],
] as const)("%j of %j is written as %s", (value, unit, text) => {
  expect(unitText(value, unit)).toBe(text);
});

test("a mark of the axis shows its own value, not a rounded one", () => {
  const { mark } = scaledUnit({ kind: "bytes" }, 107 * 1024 ** 2);
  expect([102.5, 105].map((size) => mark(size * 1024 ** 2))).toEqual(["102.5", "105"]);
});
