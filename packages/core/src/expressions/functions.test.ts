import { describe, expect, test } from "vitest";
import { createExpressions } from "./engine.ts";

const expressions = createExpressions({
  lookups: {
    server: (id) => (id === "s1" ? "web01" : undefined),
    event: (id) => (id === "e1" ? "Backup" : undefined),
  },
});

const evaluate = (source: string, data: unknown = {}): unknown => expressions.compile(source).evaluate(data);

describe("functions", () => {
  test.each<[string, unknown]>([
    ["min(4,5)", 4],
    ["min()", Number.POSITIVE_INFINITY],
    ["max()", Number.NEGATIVE_INFINITY],
    ["max('3', 2)", 3],
    ["min(1, nope)", Number.NaN],
    ["floor('3.7')", 3],
    ["ceil(1.2)", 2],
    ["round(2.5)", 3],
    ["round(-2.5)", -2],
    ["floor()", Number.NaN],
    ["clamp(50,0,10)", 10],
    ["clamp(-5,0,10)", 0],
    ["clamp(5,10,0)", 10],
    ["count([1,2])", 2],
    ["count('abc')", 3],
    ["count(nope)", 0],
    ["count(0)", 0],
    ["count({a: 1})", undefined],
    ["count(5)", undefined],
    ["find([{a: 'xyz'}, {a: 'b'}], 'a', 'y')", [{ a: "xyz" }]],
    ["find([{a: 12}, {b: 1}], 'a', 2)", [{ a: 12 }]],
    ["find([{b: 1}], 'a', 'undefined')", [{ b: 1 }]],
    ["find([nope, 1], 'a', 'undef')", [undefined, 1]],
    ["includes('abc', 'b')", true],
    ["includes([1,2], 2)", true],
    ["includes([1,2], '2')", false],
    ["includes({a: 1}, 'a')", false],
    ["match('web01', '^web')", true],
    ["match('web01', 'x')", false],
    ["match(404, '^4')", true],
    ["match(nope, '.*')", false],
    ["match(none, '.*')", false],
    ["integer('1abc')", 1],
    ["int('42 rows')", 42],
    ["integer(-1.9)", -1],
    ["integer('x')", 0],
    ["integer(nope)", 0],
    ["integer(1 / 0)", 0],
    ["integer(0.0000005)", 0],
    ["float(1.33999)", 1.33],
    ["float(-1.239)", -1.24],
    ["float('2.5x')", 2.5],
    ["float(nope)", 0],
    ["float(1 / 0)", 0],
    ["bytes(1536)", "1.5 K"],
    ["bytes(0)", "0 bytes"],
    ["bytes(1)", "1 byte"],
    ["bytes(1023)", "1023 bytes"],
    ["bytes(1024)", "1 K"],
    ["bytes(1048576)", "1 MB"],
    ["bytes(1500000)", "1.4 MB"],
    ["bytes(1073731338)", "1023.9 MB"],
    ["bytes(5000000000)", "4.6 GB"],
    ["bytes(2000000000000000)", "1818.9 TB"],
    ["bytes(-2048)", "-2048 bytes"],
    ["bytes(nope)", "NaN bytes"],
    ["bytes('2048 B')", "2 K"],
    ["number(1234567.891)", "1,234,567.891"],
    ["number('1234')", "1,234"],
    ["number('abc')", "NaN"],
    ["number(0)", "0"],
    ["number(nope)", "0"],
    ["pct(45.678)", "45.67%"],
    ["pct(0.5)", "0.5%"],
    ["pct(0.5, 1)", "50%"],
    ["pct(1, 3)", "33.33%"],
    ["pct(-5)", "0%"],
    ["pct(45.678, 100, true)", "45%"],
    ["pct('50')", "50%"],
    ["pct(50, 0)", "50%"],
    ["pct(nope)", "0%"],
    ["pct(0.0000001)", "0%"],
    ["stringify({a: [1, 'b']})", '{"a":[1,"b"]}'],
    ["stringify(nope)", undefined],
    ["encode('a b&c')", "a%20b%26c"],
    ["server('s1')", "web01"],
    ["server('s2')", "s2"],
    ["event('e1')", "Backup"],
    ["event('e2')", undefined],
  ])("%s is %j", (source, expected) => {
    expect(evaluate(source, { none: null })).toEqual(expected);
  });

  test("values without a text form cause no failure", () => {
    const data = { odd: JSON.parse('{"toString": 1, "valueOf": 2}') as unknown };
    for (const name of ["min", "floor", "integer", "float", "bytes", "number", "pct", "encode"]) {
      expect(() => evaluate(`${name}(odd)`, data)).not.toThrow();
    }
    expect(evaluate("match(odd, 'object')", data)).toBe(true);
  });

  test("a lone half of a surrogate pair is encoded as the replacement character", () => {
    expect(evaluate("encode(t)", { t: "\ud800" })).toBe("%EF%BF%BD");
  });

  test("the given locale of numbers is used", () => {
    expect(createExpressions({ locale: "de-DE" }).compile("number(1234.5)").evaluate({})).toBe("1.234,5");
  });

  test("find ignores inherited members", () => {
    expect(evaluate("find([{a: 1}], 'constructor', 'function')")).toEqual([]);
  });
});
