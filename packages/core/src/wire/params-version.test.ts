import { expect, test } from "vitest";
import { movedVersion, newestVersion } from "./params-version.ts";

test.each([
  [undefined, 100, 100],
  [50, 100, 100],
  [100, 100, 101],
  // The version was written by a node whose clock is ahead.
  [130, 100, 131],
])("after %j comes, at %j, %j", (params_version, now, next) => {
  expect(movedVersion({ params_version }, now)).toBe(next);
});

test("the newest definition counts", () => {
  expect(newestVersion([{ params_version: 5 }, { params_version: 7 }])).toBe(7);
  expect(newestVersion([{ params_version: 5 }, undefined])).toBe(5);
  expect(newestVersion([{}, undefined])).toBe(0);
});
