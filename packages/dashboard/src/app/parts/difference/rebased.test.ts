import { expect, test } from "vitest";
import { areAtOdds, rebased } from "./rebased.ts";

test.each([
  ["no one has changed it", { a: 1 }, { a: 1 }, false],
  ["one user has changed it", { a: 2 }, { a: 1 }, false],
  ["the other user has changed it", { a: 1 }, { a: 2 }, false],
  ["both have changed it to the same", { a: 2 }, { a: 2 }, false],
  ["both have changed it", { a: 2 }, { a: 3 }, true],
])("%s", (_case, mine, theirs, told) => {
  expect(areAtOdds({ a: 1 }, mine, theirs)).toBe(told);
});

test("own changes are merged over saved changes of others, and nothing else is", () => {
  const base = { title: "A", groups: ["x"], notes: "", on: true };
  const theirs = { title: "B", groups: ["x", "y"], notes: "theirs", on: true };
  expect(rebased(base, base, theirs)).toEqual(theirs);
  expect(rebased(base, { ...base, notes: "mine", groups: [] }, theirs)).toEqual({
    ...{ title: "B", groups: [], notes: "mine", on: true },
  });
  expect(rebased(base, { ...base, on: false }, base)).toEqual({ ...base, on: false });
});
