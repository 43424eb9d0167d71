import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/rounds.ts";
import { threadMs } from "../../../test/thread-time.ts";
import { createExpressions } from "../engine.ts";
import { compileRegex, createRegexCache } from "./regex.ts";
import { quickSubjectLimit } from "./regex-cost.ts";

const letters = "a".repeat(64 * 1024);

/** Patterns published as slow, each with a subject that triggers it. */
const evil: readonly (readonly [pattern: string, subject: string])[] = [
  ["^(a+)+$", `${"a".repeat(40)}!`],
  ["(a*)*b", "a".repeat(40)],
  ["^(a|aa)+$", `${"a".repeat(60)}!`],
  ["^(a|a?)+$", `${"a".repeat(40)}!`],
  ["(.*a){20}", "a".repeat(60)],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(60)],
  [
    "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
    "a".repeat(60),
  ],
  ["(x+x+)+y", "x".repeat(60)],
  ["\\s+$", `${" ".repeat(64 * 1024)}x`],
  [".*.*=.*", letters],
  ["a*a*a*a*b", letters],
  ["(a?){40}a{40}", "a".repeat(40)],
  [`${"a?".repeat(20)}${"a".repeat(20)}b`, "a".repeat(20)],
  ["(?=(a+)+b)", `${"a".repeat(40)}!`],
  ["(a+)\\1+b", letters],
  ["^(?:a+){2,}$", `${"a".repeat(60)}!`],
  ["(\\w+\\s?)+:", "word ".repeat(30)],
  ["(?:.|[\\s\\S])*x", letters],
  ["[^]*[^]*[^]*x", letters],
  ["(a{1,30}){1,30}b", "a".repeat(60)],
  ["\\d+\\d+\\d+x", "1".repeat(64 * 1024)],
];

describe("bounded matching", () => {
  test.each(evil)("%s is given up in time", (pattern, subject) => {
    const spent = (): number => {
      const regex = compileRegex(pattern);
      regex.test("");
      return threadMs(() => regex.test(subject));
    };
    // The limit is 40 ms; the rest is a margin for a machine with shared processors, which slows down one of three runs, not all.
    expect(Math.min(spent(), spent(), spent())).toBeLessThan(120);
  });

  test("a pattern that is expensive to compile is refused before", () => {
    const pattern = `${"a?".repeat(200)}${"a".repeat(200)}`;
    expect(() => compileRegex(pattern)).toThrow("Regular expression is too complex");
    expect(() => createRegexCache({ monotonic: () => 0 }).check(pattern)).toThrow("Regular expression is too complex");
  });

  test("a time-out is no match, and the third one disables the pattern", () => {
    const seen: number[] = [];
    const regex = compileRegex("^(a+)+$", (_pattern, timeouts) => seen.push(timeouts));
    const slow = `${"a".repeat(40)}!`;
    expect([regex.test(slow), regex.exec(slow), regex.isDisabled()]).toEqual([false, null, false]);
    expect(regex.test("aaa")).toBe(true);
    regex.test(slow);
    expect(regex.isDisabled()).toBe(true);
    expect(regex.test("aaa")).toBe(false);
    expect(seen).toEqual([1, 2, 3]);
  });

  test("only the first 64 KiB of a subject are matched", () => {
    const regex = compileRegex("b");
    expect(regex.test(`${letters.slice(1)}b`)).toBe(true);
    expect(regex.test(`${letters}b`)).toBe(false);
  });

  test("groups are returned on either path", () => {
    for (const pattern of ["(\\w+)-(\\d+)", "(?=w)(\\w+)-(\\d+)"]) {
      expect(compileRegex(pattern).exec("xx web-01")?.slice(1)).toEqual(["web", "01"]);
    }
  });

  test("patterns are at most 1000 characters of valid syntax", () => {
    expect(() => compileRegex("a".repeat(1001))).toThrow("length limit");
    expect(() => compileRegex("(")).toThrow(SyntaxError);
  });
});

describe("classification", () => {
  test.each([
    "^web",
    "web\\d+$",
    "^(web|db)-\\d+$",
    "\\d+\\.\\d+",
    "^[\\w-]+\\.example\\.com$",
    "(\\d{1,3}\\.){3}\\d{1,3}",
    "error|warn",
    ".*foo",
    "^(?<name>[a-z]+)=",
    "\\bid\\b",
    "a{2,5}b",
  ])("%s is certainly quick", (pattern) => {
    expect(quickSubjectLimit(pattern)).toBeGreaterThanOrEqual(200);
  });

  test.each([
    "(a+)+",
    "(a*)*b",
    "(a|a)*",
    "(a|aa)+",
    "a*a*b",
    ".*.*x",
    "(?=a)",
    "(?<!a)b",
    "(a)\\1",
    "\\k<a>(?<a>b)",
    "(?:a?b?)*",
    "(a?)*x",
    "(?i:a)",
    "{",
    "a{1,1000}",
    "(\\w+\\s?)+:",
  ])("%s is not certainly quick", (pattern) => {
    expect(quickSubjectLimit(pattern)).toBe(0);
  });

  const atom = fc.constantFrom("a", "b", "[ab]", ".", "\\w", "\\d", "[^a]", "\\s");
  const suffix = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?");
  const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
    part: fc.oneof(
      { depthSize: "small" },
      fc.tuple(atom, suffix).map((pieces) => pieces.join("")),
      fc.tuple(tie("pattern"), suffix).map(([inner, sign]) => `(?:${inner})${sign}`),
      fc.tuple(tie("part"), tie("part")).map(([left, right]) => `(${left}|${right})`),
    ),
    pattern: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  }));

  test("a pattern classified as quick is quick on hostile subjects of that length", () => {
    const units = ["a", "ab", "b", "1", "a1", " ", "a "];
    void fc.assert(
      fc.property(pattern, fc.constantFrom(...units), fc.constantFrom("", "$", "!", "c$"), (body, unit, end) => {
        const source = body + end;
        fc.pre(source.length <= 1000);
        const limit = quickSubjectLimit(source);
        fc.pre(limit > 0);
        const subject = `${unit.repeat(Math.floor(limit / unit.length) - 1)}`;
        const regex = new RegExp(source);
        regex.test(subject);
        expect(threadMs(() => regex.test(subject))).toBeLessThan(200);
      }),
      { numRuns: rounds(250, 1000) },
    );
  });
});

describe("the cache of patterns", () => {
  test("a pattern that is too slow for ordinary subjects is refused on saving", () => {
    const cache = createRegexCache({ monotonic: () => 0 });
    expect(() => cache.check("^(a+)+$")).toThrow("Regular expression takes too long");
    expect(() => cache.check("^(\\s*\\d*)*$")).toThrow("Regular expression takes too long");
    expect(cache.check("^(?=web)").test("web01")).toBe(true);
  });

  test("saving a pattern again enables it again", () => {
    let now = 0;
    const cache = createRegexCache({ monotonic: () => now });
    const pattern = "^(z+)+$";
    const slow = `${"z".repeat(40)}!`;
    for (; now < 3000; now += 1000) cache.compile(pattern).test(slow);
    expect(cache.compile(pattern).isDisabled()).toBe(true);
    cache.check(pattern);
    expect(cache.compile(pattern).test("zz")).toBe(true);
  });

  test("time-outs are logged once per pattern and hour", () => {
    let now = 0;
    const told: string[] = [];
    const cache = createRegexCache({ monotonic: () => now, onTimeout: (pattern) => told.push(pattern) });
    const slow = `${"z".repeat(40)}!`;
    cache.compile("^(z+)+$").test(slow);
    cache.compile("^(z+)+$").test(slow);
    expect(told).toHaveLength(1);
    now += 3_600_000;
    cache.compile("^(z+)+$").test(slow);
    expect(told).toHaveLength(2);
  });

  test("a thousand patterns are kept", () => {
    const cache = createRegexCache({ monotonic: () => 0 });
    const first = cache.compile("0");
    expect(cache.compile("0")).toBe(first);
    for (let index = 1; index <= 1000; index++) cache.compile(String(index));
    expect(cache.compile("0")).not.toBe(first);
  });

  test("match() in an expression is bounded as well", () => {
    const expressions = createExpressions();
    const list = Array.from({ length: 100 }, (_, index) => ({ p: `^(a+)+${index}$`, t: `${"a".repeat(40)}!` }));
    const compiled = expressions.compile("list[match(.t, .p)]");
    compiled.evaluate({ list: [] });
    expect(threadMs(() => expect(compiled.evaluate({ list })).toBeUndefined())).toBeLessThan(200);
  });
});
