import { expect, test } from "vitest";
import { compileRegex } from "../../../expressions/index.ts";
import { groupsOf, matchingGroups, type PatternTest } from "./membership.ts";

const pattern: PatternTest = (source, subject) => {
  try {
    return compileRegex(source).test(subject);
  } catch {
    // Like the service: a stored pattern that is not a valid regular expression matches nothing.
    return false;
  }
};
const group = (id: string, hostname_match: string) => ({
  id,
  title: id,
  hostname_match,
  alert_actions: [],
  sort_order: 0,
  username: "test",
  created: 1,
  modified: 1,
});
const groups = [group("web", "^web"), group("main", ".+"), group("none", ""), group("broken", "("), group("db", "db")];

test.each([
  ["web01.example.internal", ["web", "main"]],
  ["old-db-7", ["main", "db"]],
  ["DB", ["main"]],
])("%s is in %j, in the order of the list", (hostname, expected) => {
  expect(matchingGroups(hostname, groups, pattern)).toEqual(expected);
});

test("an automatic server follows the patterns and leaves its earlier groups", () => {
  expect(groupsOf({ hostname: "web01", groups: ["db"], autoGroup: true }, groups, pattern)).toEqual({
    groups: ["web", "main"],
    autoGroup: true,
  });
});

test("a manual server keeps its groups, without deleted ones", () => {
  expect(groupsOf({ hostname: "web01", groups: ["db", "gone"], autoGroup: false }, groups, pattern)).toEqual({
    groups: ["db"],
    autoGroup: false,
  });
});

test("a manual server becomes automatic when its last group is deleted", () => {
  expect(groupsOf({ hostname: "web01", groups: ["gone"], autoGroup: false }, groups, pattern)).toEqual({
    groups: ["web", "main"],
    autoGroup: true,
  });
});

test("a manual server whose list was emptied on purpose stays in no group", () => {
  expect(groupsOf({ hostname: "web01", groups: [], autoGroup: false }, groups, pattern)).toEqual({
    groups: [],
    autoGroup: false,
  });
});
