import { expect, test } from "vitest";
import { firstPosition } from "./first-position.ts";

test.each([
  ["on a minute after the last pass", 600, 480, 600],
  ["within a minute after it", 659, 480, 600],
  ["before it", 300, 480, 480],
  ["before any pass", 659, 0, 600],
])("the first position of an event changed %s is that time, or the last pass", (_when, modified, since, expected) => {
  expect(firstPosition(modified, since)).toBe(expected);
});
