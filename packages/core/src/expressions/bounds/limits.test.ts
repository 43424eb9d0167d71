import { describe, expect, test } from "vitest";
import { threadMs } from "../../../test/thread-time.ts";
import { createExpressions } from "../engine.ts";

const expressions = createExpressions();
const compile = (source: string) => expressions.compile(source);
const numbers = (length: number) => Array.from({ length }, (_, a) => ({ a }));

const durationOf = (task: () => unknown): number =>
  threadMs(() => {
    try {
      task();
    } catch {
      // Only the time matters here; other tests check the errors.
    }
  });

describe("limits on compiling", () => {
  test("the source has 10000 characters at most", () => {
    expect(() => compile(`'${"a".repeat(9998)}'`)).not.toThrow();
    expect(() => compile(`'${"a".repeat(9999)}'`)).toThrow("Expression exceeds length limit");
  });

  test.each([
    ["parentheses", "(", ")"],
    ["lists", "[", "]"],
    ["mixed brackets", "([", "])"],
  ])("%s nest 100 deep", (_name, open, close) => {
    const fits = 100 / open.length;
    expect(() => compile(`${open.repeat(fits)}1${close.repeat(fits)}`)).not.toThrow();
    expect(() => compile(`${open.repeat(fits + 1)}1${close.repeat(fits + 1)}`)).toThrow(
      "Expression exceeds nesting limit",
    );
  });

  test("brackets inside of texts do not count", () => {
    expect(compile(`'${"(".repeat(500)}'`).evaluate({})).toHaveLength(500);
  });

  test("an escaped quote cannot hide brackets", () => {
    expect(() => compile(`'a\\'${"(".repeat(200)}1${")".repeat(200)}`)).toThrow("Expression exceeds nesting limit");
  });

  test("conditionals nest 100 deep, and neighbours do not count together", () => {
    expect(() => compile(`${"a ? 1 : ".repeat(100)}2`)).not.toThrow();
    expect(() => compile(`${"a ? 1 : ".repeat(101)}2`)).toThrow("Expression exceeds nesting limit");
    expect(() => compile(`[${Array(150).fill("a ? 1 : 2").join(", ")}]`)).not.toThrow();
  });

  test("filters nest three deep", () => {
    expect(() => compile("l[.a && l[.a && l[.a]]]")).not.toThrow();
    expect(() => compile("l[.a && l[.a && l[.a && l[.a]]]]")).toThrow("Expression exceeds nesting limit");
  });

  test.each([`${"!".repeat(5000)}a`, `1${"^1+1".repeat(2000)}`])("deep trees are refused: %.10s…", (source) => {
    expect(() => compile(source)).toThrow("Expression exceeds nesting limit");
  });

  test("a path of 4000 names works", () => {
    expect(compile(`a${".a".repeat(4000)}`).evaluate({})).toBeUndefined();
  });

  test.each([
    "(".repeat(9999),
    "a?b:".repeat(2499),
    "!".repeat(9999),
    `a${"[0]".repeat(3000)}`,
    `${"(".repeat(100)}${"1+".repeat(4800)}1`,
    `${"(".repeat(99)}${"a ? 1 : ".repeat(99)}${"1,".repeat(4000)}`,
    '"'.repeat(9999),
    "'\\".repeat(4999),
    "{a:".repeat(3000),
  ])("refusing or accepting %.12s… takes well under half a second", (source) => {
    expect(durationOf(() => compile(source))).toBeLessThan(500);
  });
});

describe("limits on evaluating", () => {
  const limit = "Expression exceeds evaluation limit";

  test("an evaluation has 200000 steps at most", () => {
    const count = compile("count(list[.a >= 0])");
    expect(count.evaluate({ list: numbers(90_000) })).toBe(90_000);
    expect(() => count.evaluate({ list: numbers(110_000) })).toThrow(limit);
  });

  test("each evaluation starts with a full budget", () => {
    const count = compile("count(list[.a >= 0])");
    const list = numbers(60_000);
    for (let round = 0; round < 5; round++) expect(count.evaluate({ list })).toBe(60_000);
  });

  test("filters inside filters stop within a tenth of a second", () => {
    const nested = compile("l[l[l[.a >= 0 && l[0].a == 0].a == 0].a == 0]");
    const cubic = compile("count(l[count(l[count(l[.a >= 0 && 1]) && .a >= 0]) && .a >= 0])");
    const relative = compile("l[.a >= 0 && l[.a >= 0 && l[.a >= 0]]]");
    const context = { l: numbers(300) };
    expect(durationOf(() => nested.evaluate(context))).toBeLessThan(100);
    expect(durationOf(() => cubic.evaluate(context))).toBeLessThan(100);
    expect(() => relative.evaluate(context)).toThrow(limit);
  });

  test("searches through lists count as work", () => {
    const context = { l: numbers(2000), ids: Array.from({ length: 2000 }, (_, index) => index + 5000) };
    expect(() => compile("l[.a >= 0 && (.a in ids)]").evaluate(context)).toThrow(limit);
    expect(() => compile("l[.a >= 0 && includes(ids, 1)]").evaluate(context)).toThrow(limit);
    expect(() => compile("l[.a >= 0 && find(l, 'a', 'x')]").evaluate(context)).toThrow(limit);
  });

  test("an evaluation takes 200 ms at most, by the given clock", () => {
    let now = 0;
    const slow = createExpressions({
      monotonic: () => {
        now += 150;
        return now;
      },
    });
    const count = slow.compile("count(list[.a >= 0])");
    expect(count.evaluate({ list: numbers(800) })).toBe(800);
    expect(() => count.evaluate({ list: numbers(3000) })).toThrow(limit);
  });

  test("time spent in functions of the host counts", () => {
    let now = 0;
    const own = createExpressions({
      monotonic: () => now,
      functions: {
        wait: () => {
          now += 120;
          return true;
        },
      },
    });
    expect(own.compile("wait() && 1").evaluate({})).toBe(1);
    expect(() => own.compile("wait() && wait() && wait()").evaluate({})).toThrow(limit);
  });

  test("an expression creates a text of 256 KiB at most", () => {
    const text = "a".repeat(200_000);
    expect(compile("t + 'b'").evaluate({ t: text })).toHaveLength(200_001);
    expect(() => compile("t + t").evaluate({ t: text })).toThrow(limit);
    expect(() => compile("stringify([t, t])").evaluate({ t: text })).toThrow(limit);
    expect(() => compile("encode(t)").evaluate({ t: " ".repeat(100_000) })).toThrow(limit);
  });

  test("nested stringify cannot explode", () => {
    let source = "e";
    for (let level = 0; level < 8; level++) source = `stringify([${source}, ${source}])`;
    const nested = compile(source);
    expect(() => nested.evaluate({ e: '"'.repeat(1000) })).toThrow(limit);
    expect(durationOf(() => nested.evaluate({ e: '"'.repeat(1000) }))).toBeLessThan(500);
  });

  test("the macros of a text share 400000 steps, and so do texts that are expanded together", () => {
    const own = createExpressions();
    const context = { l: numbers(220) };
    const template = own.compileTemplate("{{count(l[.a >= 0 && count(l[.a >= 0]) > 0])}} {{1 +}}\n".repeat(20));
    const [first = "", ...others] = template.expand(context).split("\n");
    expect(first).toBe("220 (ERROR: Error: Unexpected end of expression: 1 +)");
    expect(others.filter((line) => line === first)).toHaveLength(3);
    expect(others.at(-2)).toMatch(/^(?:\(ERROR: Error: Expression exceeds evaluation limit\) ?){2}$/);
    const spent = { steps: 0, ms: 0 };
    template.expand(context, { spent });
    expect(own.compileTemplate("{{1}}").expand({}, { spent })).toContain("Expression exceeds evaluation limit");
    expect(own.compileTemplate("{{1}}").expand({})).toBe("1");
  });

  test("converting lists to text counts as work", () => {
    const context = { l: numbers(5000), big: Array.from({ length: 20_000 }, (_, index) => index) };
    expect(durationOf(() => compile("l[.a == big]").evaluate(context))).toBeLessThan(1500);
    expect(() => compile("l[.a == big]").evaluate(context)).toThrow(limit);
  });

  test("compiled forms are shared by source and bounded", () => {
    const own = createExpressions();
    expect(own.compile("a + 1")).toBe(own.compile("a + 1"));
    const first = own.compile("0");
    for (let index = 1; index <= 5000; index++) own.compile(String(index));
    expect(own.compile("0")).not.toBe(first);
  });
});
