import { expect, test } from "vitest";
import { canBeTold, togetherTold } from "./told-minutes.ts";

const text = (length: number): string => "x".repeat(length);
const sizes = (told: Record<string, string | null>) =>
  Object.entries(told).map(([id, json]) => [id, json === null ? json : json.length]);

test.each([
  ["none", [], []],
  ["a server without a minute", [["s1", undefined]], [["s1", null]]],
  [
    "all that fit",
    [
      ["s1", 200_000],
      ["s2", 300_000],
    ],
    [
      ["s1", 200_000],
      ["s2", 300_000],
    ],
  ],
  [
    "as many from the front as fit",
    [
      ["s1", 200_000],
      ["s2", 300_001],
      ["s3", 1],
    ],
    [["s1", 200_000]],
  ],
  [
    "none that is too long by itself",
    [
      ["s1", 500_001],
      ["s2", 9],
    ],
    [
      ["s1", null],
      ["s2", 9],
    ],
  ],
] as const)("one answer has %s", (_title, minutes, expected) => {
  const texts = minutes.map(([id, length]) => [id, length === undefined ? undefined : text(length)] as const);
  expect(sizes(togetherTold(texts))).toEqual(expected);
});

test("a record of a server called __proto__ is sent like any other", () => {
  expect(Object.entries(togetherTold([["__proto__", "{}"]]))).toEqual([["__proto__", "{}"]]);
});

test("a minute of half a million characters can be sent, escaped within a megabyte", () => {
  expect([canBeTold(500_000), canBeTold(500_001)]).toEqual([true, false]);
  expect(JSON.stringify(togetherTold([["s1", '"'.repeat(500_000)]])).length).toBeLessThan(1_048_576);
});
