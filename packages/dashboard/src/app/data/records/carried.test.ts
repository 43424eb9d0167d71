import { expect, test } from "vitest";
import { carried, reversed } from "./carried.ts";

test.each([
  ["an entry is put in", ["a"], ["a", "b"], ["a"], ["a", "b"]],
  ["an entry is taken out", ["a", "b"], ["b"], ["a", "b"], ["b"]],
  ["an entry that somebody else put in meanwhile stays", ["a"], ["a", "b"], ["a", "c"], ["a", "c", "b"]],
  ["an entry that somebody else took out meanwhile stays out", ["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]],
  ["an entry that is there already is not put in twice", [], ["a"], ["a"], ["a"]],
  ["an entry that is gone already is taken out without a word", ["a"], [], [], []],
])("%s", (_what, before, after, now, expected) => {
  expect(carried({ before, after }, now)).toEqual(expected);
});

test("a change that is undone keeps what others have done since", () => {
  const change = { before: ["a", "b"], after: ["b", "c"] };
  expect(carried(reversed(change), ["b", "c", "d"]).sort()).toEqual(["a", "b", "d"]);
});
