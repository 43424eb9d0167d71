import { expect, test } from "vitest";
import { isLaterElsewhere } from "./place.ts";

const place = (node: string, epoch?: number) => ({ id: "s1", node, ...(epoch === undefined ? {} : { epoch }) });

test.each([
  ["the own place", place("one", 9), { isLocal: false, epoch: 5 }, false],
  ["a place that another node took later", place("two", 6), { isLocal: false, epoch: 5 }, true],
  ["a place that another node took before", place("two", 4), { isLocal: false, epoch: 5 }, false],
  [
    "a place of another node while the own one is not stored yet",
    place("two", 6),
    { isLocal: false, epoch: undefined },
    false,
  ],
  ["a place of another node after the own connection ended", place("two", 6), undefined, true],
  ["a place of another node's own agent beside the own one", place("two", 6), { isLocal: true, epoch: 5 }, false],
  ["a place that a node of the previous release took", place("two"), { isLocal: false, epoch: 5 }, true],
])("%s", (_what, stored, held, expected) => {
  expect(isLaterElsewhere(stored, { node: "one", held })).toBe(expected);
});
