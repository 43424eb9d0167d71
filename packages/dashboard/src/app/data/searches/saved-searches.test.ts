import { expect, test } from "vitest";
import { takenBack } from "./saved-searches.ts";

const [first, second, third] = ["first", "second", "third"].map((name) => ({ name, loc: `/jobs?q=${name}` }));
const foreign = { view: "of another program" };

test.each([
  ["a saved search is removed", [first], [first, second], [first, second], [first]],
  ["a removed search returns to its place", [first, second], [second], [second], [first, second]],
  ["searches saved after it stay", [first], [first, second], [first, second, third], [first, third]],
  ["searches removed after it stay removed", [first, second], [second], [], [first]],
  ["entries of other programs stay", [foreign], [foreign, first], [foreign, first], [foreign]],
])("undo: %s", (_what, before, after, now, expected) => {
  // A storage may return the members in another order.
  const stored = now.map((entry) => Object.fromEntries(Object.entries(entry ?? {}).toReversed()));
  expect(takenBack(before, after, stored)).toEqual(expected);
});
