import { describe, expect, test } from "vitest";
import { createExpressions } from "./index.ts";

/** The edge cases of the language (docs/contract/expressions.md#edge-cases), one test each. */
const expressions = createExpressions();
const evaluate = (source: string, data: unknown = {}): unknown => expressions.compile(source).evaluate(data);
const expand = (text: string, data: unknown = {}): string => expressions.compileTemplate(text).expand(data);

describe("operators", () => {
  test("`a || b && c` is `(a || b) && c`", () => {
    expect(evaluate("a || b && c", { a: 1, b: 0, c: 0 })).toBe(0);
    expect(evaluate("a || (b && c)", { a: 1, b: 0, c: 0 })).toBe(1);
  });

  test("texts are compared letter by letter; integer() converts them to numbers", () => {
    expect(evaluate('"10" < "9"')).toBe(true);
    expect(evaluate('integer("10") < integer("9")')).toBe(false);
  });

  test("`in` compares strictly, `==` loosely", () => {
    expect(evaluate('"5" in [5]')).toBe(false);
    expect(evaluate('"5" == 5')).toBe(true);
  });

  test("a source that yields true is no number; a conditional makes one, with the call in brackets", () => {
    expect(evaluate("includes('abc', 'b')")).toBe(true);
    expect(() => expressions.compile("includes('abc', 'b') ? 1 : 0")).toThrow();
    expect(evaluate("(includes('abc', 'b')) ? 1 : 0")).toBe(1);
  });
});

describe("members", () => {
  const data = { arr: [{ x: 1, a: 1, length: 7 }, { x: 2 }], empty: [] };

  test("a member of a list is the member of its first element, also its length; count() is the size", () => {
    expect(evaluate("arr.x", data)).toBe(1);
    expect(evaluate("arr.length", data)).toBe(7);
    expect(evaluate("count(arr)", data)).toBe(2);
  });

  test("a member of an empty match throws, and its first element has none", () => {
    expect(() => evaluate("arr[.a == 9].c", data)).toThrow();
    expect(evaluate("arr[.a == 9][0].c", data)).toBeUndefined();
  });

  test("a member of undefined is undefined, and an index of it throws", () => {
    expect(evaluate("nope.x")).toBeUndefined();
    expect(() => evaluate("nope[0]")).toThrow();
  });

  test("names with a hyphen need brackets", () => {
    expect(evaluate('commands["my-plugin"]', { commands: { "my-plugin": 3 } })).toBe(3);
    expect(evaluate("commands.my-plugin", { commands: { my: 5 }, plugin: 2 })).toBe(3);
  });

  test("lists stay lists, and JSON of data is the JSON of the data", () => {
    const list = [{ a: 1, b: [1, null, "x"] }, { a: 2 }];
    expect(evaluate("count(list[.a > 1])", { list })).toBe(1);
    expect(evaluate("stringify(list)", { list })).toBe(JSON.stringify(list));
    expect(expand("{{ list }}", { list })).toBe(JSON.stringify(list));
  });

  test("a promise in the data is not awaited", () => {
    expect(evaluate("later.value", { later: Promise.resolve({ value: 1 }) })).toBeUndefined();
    expect(evaluate("later == 1", { later: Promise.resolve(1) })).toBe(false);
  });
});

describe("functions", () => {
  test("a share of 0 is a share of 100", () => {
    expect(evaluate("pct(50, 0)")).toBe("50%");
  });

  test("bytes are rounded down at every step", () => {
    expect(evaluate("bytes(v)", { v: Math.floor(1023.99 * 1024 * 1024) })).toBe("1023.9 MB");
  });

  test("float and pct cut instead of rounding, and negative values grow in magnitude", () => {
    expect(evaluate("float(1.999)")).toBe(1.99);
    expect(evaluate("float(-1.001)")).toBe(-1.01);
    expect(evaluate("pct(99.999)")).toBe("99.99%");
  });

  test("number() prints 0 for nothing, and accepts numbers in texts", () => {
    expect(evaluate("number(0)")).toBe("0");
    expect(evaluate("number(nope)")).toBe("0");
    expect(evaluate('number("1234.5")')).toBe("1,234.5");
  });
});

describe("templates", () => {
  test("null prints null, only undefined gets the fallback", () => {
    const template = expressions.compileTemplate("{{ none }} {{ nope }}");
    expect(template.expand({ none: null }, { undefinedText: "n/a" })).toBe("null n/a");
  });

  test("nested literals end at the first two braces, and a blank keeps them apart", () => {
    expect(expand("{{ {a: {b: 1}} }}")).toMatch(/^\(ERROR: .*\) }}$/);
    expect(expand("{{ {a: {b: 1} } }}")).toBe('{"a":{"b":1}}');
  });

  test("a line end of Windows inside a macro makes it plain text", () => {
    expect(expand("{{ a\r\n }} {{ a }}", { a: 1 })).toBe("{{ a\r\n }} 1");
  });

  test("a value that looks like a replacement pattern is inserted literally", () => {
    expect(expand("<{{ v }}>", { v: "$& $1 $$ $` $'" })).toBe("<$& $1 $$ $` $'>");
  });
});
