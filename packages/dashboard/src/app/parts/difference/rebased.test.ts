import { expect, test } from "vitest";
import { rebased } from "./rebased.ts";

test("own changes lie over what others have saved, and nothing else does", () => {
  const base = { title: "A", groups: ["x"], notes: "", on: true };
  const theirs = { title: "B", groups: ["x", "y"], notes: "theirs", on: true };
  expect(rebased(base, base, theirs)).toEqual(theirs);
  expect(rebased(base, { ...base, notes: "mine", groups: [] }, theirs)).toEqual({
    ...{ title: "B", groups: [], notes: "mine", on: true },
  });
  expect(rebased(base, { ...base, on: false }, base)).toEqual({ ...base, on: false });
});
