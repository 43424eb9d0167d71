import { expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { createExpressions } from "../engine.ts";
import { createRegexCache } from "./regex.ts";
import { createRegexPatience } from "./regex-patience.ts";

test("slow matches use up the time of all patterns, which is restored a quarter of a second later", () => {
  let now = 1000;
  const patience = createRegexPatience(40, () => now);
  expect(patience.left(false)).toBe(40);
  patience.spend(30, false);
  now += 100;
  expect(patience.left(false)).toBe(10);
  patience.spend(10, false);
  expect(patience.left(false)).toBe(0);
  now += 149;
  expect(patience.left(false)).toBe(0);
  now += 1;
  expect(patience.left(false)).toBe(40);
});

test("proven patterns lose only their own slow time, not the time of others", () => {
  const patience = createRegexPatience(40, () => 0);
  patience.spend(40, false);
  expect([patience.left(false), patience.left(true)]).toEqual([0, 40]);
  patience.spend(40, true);
  expect([patience.left(false), patience.left(true)]).toEqual([0, 0]);
});

const evil = (count: number): string[] => Array.from({ length: count }, (_, index) => `^(a+)+${"b".repeat(index)}$`);
const subject = `${"a".repeat(60)}!`;

test("a hundred slow patterns together block the process no longer than a few", () => {
  const cache = createRegexCache({ monotonic: () => 0 });
  const patterns = evil(100).map((pattern) => cache.compile(pattern));
  patterns[0]?.test("");
  expect(threadMs(() => patterns.map((pattern) => pattern.test(subject)))).toBeLessThan(100);
});

test("a pattern that has matched in time continues to match beside slow ones", () => {
  const cache = createRegexCache({ monotonic: () => 0 });
  const honest = cache.compile("^(a|aa)+$");
  // The limit is wall-clock time, which includes waits of a match on a busy machine.
  const matches = (): boolean => [1, 2, 3].some(() => honest.test("aaaa"));
  expect(matches()).toBe(true);
  for (const pattern of evil(5)) cache.compile(pattern).test(subject);
  expect(matches()).toBe(true);
});

test("a template full of slow patterns blocks the process no longer than one", () => {
  const { compileTemplate } = createExpressions({ monotonic: () => performance.now() });
  const template = compileTemplate(
    evil(60)
      .map((pattern) => `{{ match(t, '${pattern}') }}`)
      .join(""),
  );
  template.expand({ t: "" });
  expect(threadMs(() => template.expand({ t: subject }))).toBeLessThan(100);
});
