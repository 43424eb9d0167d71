import { expect, test } from "vitest";
import { byId } from "./by-id.ts";

test.each<[readonly ({ id: string; n: number } | undefined)[], [string, number][]]>([
  [[], []],
  [[undefined, undefined], []],
  [
    [{ id: "b", n: 1 }, undefined, { id: "a", n: 2 }],
    [
      ["b", 1],
      ["a", 2],
    ],
  ],
  [
    [
      { id: "a", n: 1 },
      { id: "a", n: 2 },
    ],
    [["a", 2]],
  ],
])("%j by id", (records, expected) => {
  expect(Array.from(byId(records), ([id, { n }]) => [id, n])).toEqual(expected);
});
