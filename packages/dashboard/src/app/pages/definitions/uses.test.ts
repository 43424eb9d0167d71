import { expect, test } from "vitest";
import { isNaming } from "./uses.ts";

test.each([
  ["a member", { category: "c1" }, true],
  ["the id of another record", { category: "c2" }, false],
  ["an unrelated member", { notes: "c1" }, false],
  ["a list", { categories: ["c0", "c1"] }, true],
  ["an action", { actions: [{ type: "x" }, { category: "c1" }] }, true],
  ["no list of actions", { actions: "c1" }, false],
])("%s", (_case, record, isNamed) => {
  expect(isNaming(record, "c1", ["category", "categories"])).toBe(isNamed);
});
