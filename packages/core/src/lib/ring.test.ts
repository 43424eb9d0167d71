import { expect, test } from "vitest";
import { ringOf } from "./ring.ts";

test.each([
  [0, []],
  [2, ["a:2", "a:1"]],
  [3, ["a:0", "a:2", "a:1"]],
  [7, ["a:1", "a:0", "a:2"]],
])("of %s records a ring of three keeps, newest first: %j", (count, ids) => {
  expect(ringOf(3).idsOf({ id: "a", count })).toEqual(ids);
});

test("the next record replaces the oldest one", () => {
  const { idOf, idsOf } = ringOf(3);
  expect(idOf("a", 8)).toBe(idsOf({ id: "a", count: 7 }).at(-1));
});
