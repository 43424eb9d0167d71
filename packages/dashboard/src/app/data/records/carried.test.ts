import { expect, test } from "vitest";
import { carried, reversed } from "./carried.ts";

test.each([
  ["an entry is added", ["a"], ["a", "b"], ["a"], ["a", "b"]],
  ["an entry is removed", ["a", "b"], ["b"], ["a", "b"], ["b"]],
  ["an entry that another user added meanwhile stays", ["a"], ["a", "b"], ["a", "c"], ["a", "c", "b"]],
  ["an entry that another user removed meanwhile stays removed", ["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]],
  ["an existing entry is not added twice", [], ["a"], ["a"], ["a"]],
  ["a missing entry is removed without a message", ["a"], [], [], []],
])("%s", (_what, before, after, now, expected) => {
  expect(carried({ before, after }, now)).toEqual(expected);
});

test("a change that is undone keeps what others have done since", () => {
  const change = { before: ["a", "b"], after: ["b", "c"] };
  expect(carried(reversed(change), ["b", "c", "d"]).sort()).toEqual(["a", "b", "d"]);
});
