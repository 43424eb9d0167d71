import { expect, test } from "vitest";
import type { Reach } from "../model.ts";
import { reachesCategory, reachesServer, reachOf } from "./reach.ts";

const caller = (limits: Partial<Reach>, privileges: Record<string, true> = {}) => ({
  privileges,
  categories: [],
  groups: [],
  ...limits,
});

test.each([
  ["empty lists limit no one", caller({}), undefined],
  ["a star is no limit", caller({ categories: ["*"], groups: ["a", "*"] }), undefined],
  ["administrators have no limits", caller({ groups: ["a"] }, { admin: true }), undefined],
  ["one list is enough", caller({ groups: ["a"] }), { categories: [], groups: ["a"] }],
])("%s", (_, limited, reach) => {
  expect(reachOf(limited)).toEqual(reach);
});

test.each([
  [undefined, [], true],
  [{ categories: [], groups: ["a"] }, ["b", "a"], true],
  [{ categories: [], groups: ["a"] }, ["b"], false],
  [{ categories: [], groups: ["a"] }, [], false],
  [{ categories: ["c"], groups: [] }, [], true],
])("%j reaches a server in %j: %s", (reach, groups, isReached) => {
  expect(reachesServer(reach, { groups })).toBe(isReached);
});

test.each([
  [undefined, "c", true],
  [{ categories: ["c"], groups: [] }, "c", true],
  [{ categories: ["c"], groups: [] }, "d", false],
  [{ categories: [], groups: ["a"] }, "d", true],
])("%j reaches category %s: %s", (reach, category, isReached) => {
  expect(reachesCategory(reach, category)).toBe(isReached);
});
