import { expect, test } from "vitest";
import { markState } from "./told-to.ts";

test.each([
  [{}, false, "told"],
  [{}, true, "pending"],
  [{ failed: true }, false, "untold"],
  [{ failed: true }, true, "untold"],
] as const)("a mark %j that is pending (%s) is %s", (mark, isPending, expected) => {
  expect(markState(mark, isPending)).toBe(expected);
});
