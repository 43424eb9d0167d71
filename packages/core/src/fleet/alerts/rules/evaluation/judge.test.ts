import { expect, test } from "vitest";
import { createJudge, NONE, type Test } from "./judge.ts";

const says =
  (answer: boolean | undefined): Test =>
  () =>
    answer;

test.each([
  ["holds", says(true), NONE],
  ["over", says(false), NONE],
  ["failed", says(undefined), NONE],
  ["failed", undefined, NONE],
  ["holds", says(true), says(true)],
  ["over", says(false), says(true)],
  ["between", says(false), says(false)],
  ["between", says(false), says(undefined)],
  ["between", says(false), undefined],
  ["failed", says(undefined), says(true)],
] as const)("%s", (verdict, condition, recovery) => {
  expect(createJudge(condition, recovery)({})).toBe(verdict);
});
