import { expect, test } from "vitest";
import { createVerdicts } from "./verdicts.ts";

function setUp() {
  let nowMs = 0;
  const verdicts = createVerdicts({ monotonicMs: () => nowMs });
  const asked: string[] = [];
  return {
    asked,
    of: (pattern: string, subject: string, answer: boolean) =>
      verdicts.of(pattern, subject, () => {
        asked.push(`${pattern} ${subject}`);
        return answer;
      }),
    slowly: () =>
      verdicts.of("slow", "host", () => {
        asked.push("slow host");
        nowMs += 50;
        return false;
      }),
  };
}

test("a pattern is matched once for each subject", () => {
  const at = setUp();
  expect([at.of("a", "x", true), at.of("a", "x", false), at.of("a", "y", false), at.of("b", "x", false)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(at.asked).toEqual(["a x", "a y", "b x"]);
});

test("the number of cached matches is bounded", () => {
  const at = setUp();
  for (let n = 0; n <= 200_000; n++) at.of("a", String(n), true);
  at.asked.length = 0;
  at.of("a", "0", false);
  at.of("a", "200000", false);
  expect(at.asked).toEqual(["a 0"]);
});

test("a match that took long is computed again", () => {
  const at = setUp();
  at.slowly();
  at.slowly();
  expect(at.asked).toEqual(["slow host", "slow host"]);
});
