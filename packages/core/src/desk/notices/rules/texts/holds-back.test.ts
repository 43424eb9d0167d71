import { expect, test } from "vitest";
import { holdsBackText } from "./holds-back.ts";

test.each([
  [0, [], undefined],
  [1, ["Hot on a"], "Holds back 1 other: Hot on a."],
  [2, ["Hot on a", "Hot on b"], "Holds back 2 others: Hot on a, Hot on b."],
  [30, ["Hot on a", "Hot on b"], "Holds back 30 others: Hot on a, Hot on b and 28 more."],
])("%d held firings with the titles %j are described as %s", (count, titles, expected) => {
  expect(holdsBackText({ count, titles })).toBe(expected);
});
