import { expect, test } from "vitest";
import { expectWords, withExpect } from "./words.ts";

test.each([
  [{ success_every: 93_600 }, ["A run must succeed at least every 1 d 2 h; it may be 5 min late."]],
  [{ success_every: 3600, grace: 60 }, ["A run must succeed at least every 1 h; it may be 1 min late."]],
  [{ start_within: 60, grace: 0 }, ["A scheduled run must start within 1 min; it may be 0 s late."]],
  [{ finish_within: 2400 }, ["No run may take longer than 40 min."]],
  [{ max_failures: 0 }, ["No run may fail within 1 d."]],
  [{ max_failures: 1, failures_per: 3600 }, ["At most 1 run may fail within 1 h."]],
  [{ max_failures: 3 }, ["At most 3 runs may fail within 1 d."]],
])("%j in words", (expected, words) => expect(expectWords(expected)).toEqual(words));

test.each([
  ["the first member", undefined, ["finish_within", 60], { finish_within: 60 }],
  ["another one", { finish_within: 60 }, ["success_every", 3600], { finish_within: 60, success_every: 3600 }],
  ["one member less", { finish_within: 60, max_failures: 1 }, ["max_failures", undefined], { finish_within: 60 }],
  ["nothing any more", { finish_within: 60 }, ["finish_within", undefined], null],
  ["a member that means nothing alone", { max_failures: 1, failures_per: 60 }, ["max_failures", undefined], null],
] as const)("%s", (_what, before, [name, value], after) => expect(withExpect(before, name, value)).toEqual(after));
