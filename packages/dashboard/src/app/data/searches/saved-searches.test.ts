import { expect, test } from "vitest";
import { takenBack } from "./saved-searches.ts";

const [first, second, third] = ["first", "second", "third"].map((name) => ({ name, loc: `/jobs?q=${name}` }));
const foreign = { view: "of another program" };

test.each([
  ["a search that was kept goes", [first], [first, second], [first, second], [first]],
  ["one that was forgotten comes back to its place", [first, second], [second], [second], [first, second]],
  ["what was kept after it stays", [first], [first, second], [first, second, third], [first, third]],
  ["what was forgotten after it stays forgotten", [first, second], [second], [], [first]],
  ["entries of other programs stay", [foreign], [foreign, first], [foreign, first], [foreign]],
])("undo: %s", (_what, before, after, now, expected) => {
  // A storage may return the members in another order.
  const stored = now.map((entry) => Object.fromEntries(Object.entries(entry ?? {}).toReversed()));
  expect(takenBack(before, after, stored)).toEqual(expected);
});
