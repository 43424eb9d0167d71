import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../test/code-point.ts";
import { threadMs } from "../../test/thread-time.ts";
import { createExpressions } from "./engine.ts";
import { type ExpandOptions, encodeUriValue, expandJsonBody } from "./template.ts";

const expressions = createExpressions();
const expand = (text: string, context: unknown = {}, options?: ExpandOptions): string =>
  expressions.compileTemplate(text).expand(context, options);

describe("macros", () => {
  test.each<[string, string]>([
    ["plain", "plain"],
    ["{{a}} and {{ b.c }}", "1 and x"],
    ["{{}} {{ a }}", "{{}} 1"],
    ["{{a", "{{a"],
    ["a}} {{a}}", "a}} 1"],
    ["{{ a\n}} {{a}}", "{{ a\n}} 1"],
    ["{{ a\r\n}}", "{{ a\r\n}}"],
    ['{{ "{" }}{x}}', "{{x}}"],
    ["{{none}}", "null"],
    ["{{yes}} {{half}} {{1 / 0}} {{nope + 1}}", "true 0.5 Infinity NaN"],
    ["{{b}} {{list}}", '{"c":"x"} [1,{"a":2}]'],
    ["{{dollars}}", "$& $1 $$"],
    ["{{f(1)}}", "(ERROR: Error: Jexl Function f is not defined.)"],
    ["{{nope[0]}}!", "(ERROR: TypeError: Cannot read properties of undefined (reading '0'))!"],
    ["{{ {a: {b: 1}} }}", "(ERROR: Error: Unexpected end of expression: {a: {b: 1) }}"],
    ["{{ {a: {b: 1} } }}", '{"a":{"b":1}}'],
  ])("%j becomes %j", (text, expected) => {
    const context = { a: 1, b: { c: "x" }, none: null, yes: true, half: 0.5, list: [1, { a: 2 }], dollars: "$& $1 $$" };
    expect(expand(text, context)).toBe(expected);
  });

  test("undefined becomes the fallback, null does not", () => {
    const options = { undefinedText: "n/a" };
    expect(expand("{{nope}} {{none}} {{empty}}.", { none: null, empty: "" }, options)).toBe("n/a null .");
    expect(expand("{{nope}}.")).toBe(".");
  });

  test("inserted values are not expanded again", () => {
    expect(expand("{{a}}", { a: "{{ secrets.KEY }}", secrets: { KEY: "hunter2" } })).toBe("{{ secrets.KEY }}");
    expect(expand("{{a}}{{b}}", { a: "{{b", b: "}}" })).toBe("{{b}}");
  });

  test("a macro that names the secrets fails without detail", () => {
    expect(expand("{{ secrets.KEY[0][1] }}", { secrets: {} })).toBe("(ERROR)");
    expect(expand("{{ secrets +* 1 }}", { secrets: {} })).toBe("(ERROR)");
    expect(expand("{{ secrets.KEY }}", { secrets: { KEY: "k" } })).toBe("k");
  });

  test("macros and their errors are known before expanding", () => {
    const template = expressions.compileTemplate("{{ a }} {{ 1 + }} {{b}}");
    expect(template.macros).toEqual([" a ", " 1 + ", "b"]);
    expect(template.errors.map(({ macro }) => macro)).toEqual([" 1 + "]);
    expect(template.errors[0]?.error.message).toContain("Unexpected end");
  });

  test("the filter gets the value before its text form", () => {
    const shown = (value: unknown) => (value === "" ? "n/a" : value);
    expect(expand("{{a}} {{b}}", { a: "", b: [1] }, { filter: shown })).toBe("n/a [1]");
    expect(expand("/{{a}}/{{b}}", { a: "x y&z", b: { c: "ü" } }, { filter: encodeUriValue })).toBe(
      "/x%20y%26z/%7B%22c%22%3A%22%C3%BC%22%7D",
    );
  });

  test("any text without macros stays unchanged", () => {
    const text = fc.string({ unit: codePoint }).filter((value) => !value.includes("{{"));
    void fc.assert(fc.property(text, (value) => expand(value) === value));
  });

  test("any value is inserted literally", () => {
    void fc.assert(fc.property(fc.string(), (value) => expand("<{{v}}>", { v: value }) === `<${value}>`));
  });

  test("macros are found by the pattern, except empty ones", () => {
    const pieces = fc.array(fc.constantFrom("{", "}", "{{", "}}", "1", " ", "\n", "x"), { maxLength: 12 });
    void fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("");
        fc.pre(!text.includes("{{}}"));
        const found = [...text.matchAll(/\{\{(.+?)\}\}/g)].map(([, inner]) => inner);
        expect(expressions.compileTemplate(text).macros).toEqual(found);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("bounds of templates", () => {
  test("a template has 1 MiB at most", () => {
    expect(() => expressions.compileTemplate("a".repeat(1024 * 1024))).not.toThrow();
    expect(() => expressions.compileTemplate("a".repeat(1024 * 1024 + 1))).toThrow("Template exceeds length limit");
  });

  test("macros after the first thousand stay unchanged", () => {
    expect(expand("{{1}}".repeat(1002))).toBe(`${"1".repeat(1000)}{{1}}{{1}}`);
  });

  test("one macro too many is reported on save", () => {
    expect(expressions.compileTemplate("{{1}}".repeat(1000)).errors).toEqual([]);
    const { errors, macros } = expressions.compileTemplate(`${"{{1}}".repeat(1000)}{{2}}{{3}}`);
    expect(macros).toHaveLength(1000);
    expect(errors).toEqual([{ macro: "2", error: new Error("Template exceeds length limit (1000 macros)") }]);
  });

  test("a macro that is too long says so", () => {
    expect(expand(`{{ ${"1".repeat(10_001)} }}`)).toBe("(ERROR: Error: Expression exceeds length limit)");
  });

  test("a value of more than 256 KiB is not inserted", () => {
    expect(expand("{{a}}", { a: "x".repeat(256 * 1024 + 1) })).toBe(
      "(ERROR: Error: Expression exceeds evaluation limit)",
    );
  });

  test("a template as a whole takes 2 seconds at most", () => {
    let now = 0;
    const wait = () => {
      now += 150;
    };
    const slow = createExpressions({ monotonic: () => now, functions: { wait } });
    const text = slow.compileTemplate("{{wait()}}.".repeat(100)).expand({});
    expect(now).toBeLessThan(2400);
    expect(text.endsWith("(ERROR: Error: Expression exceeds evaluation limit).")).toBe(true);
  });

  test.each(["{{", "{{ ", "{{}}", "{{\n", "}}{{", "{{{"])("a mebibyte of %j is scanned at once", (unit) => {
    const text = unit.repeat(Math.floor((1024 * 1024) / unit.length));
    expect(threadMs(() => expressions.compileTemplate(text))).toBeLessThan(1000);
  });
});

describe("JSON bodies", () => {
  const body = (text: string, context: unknown): string => expandJsonBody(expressions.compileTemplate(text), context);

  test.each<[string, unknown, unknown]>([
    ['{"text": "{{t}}"}', { t: 'say "hi"\n\\' }, { text: 'say "hi"\n\\' }],
    ['{"a": {{o}}, "b": {{n}}, "c": {{f}}}', { o: { x: '"' }, n: 1.5, f: false }, { a: { x: '"' }, b: 1.5, c: false }],
    ['{"a": "{{o}}"}', { o: { x: '"' } }, { a: '{"x":"\\""}' }],
    ['{"a": "\\"{{t}}\\"", "b": {{n}}}', { t: '"', n: 1 }, { a: '"""', b: 1 }],
    ['{"a": "{{t}}", "{{t}}": {{n / 0}}}', { t: '"', n: 1 }, { a: '"', '"': null }],
    ['{"a": {{ stringify(t) }}}', { t: 'x"y' }, { a: 'x"y' }],
    ['{"a": "{{ f(1) }}"}', {}, { a: "(ERROR: Error: Jexl Function f is not defined.)" }],
  ])("%s stays JSON", (text, context, expected) => {
    expect(JSON.parse(body(text, context))).toEqual(expected);
  });

  test("any text inside of a literal arrives unchanged", () => {
    void fc.assert(
      fc.property(fc.string({ unit: codePoint }), (value) => {
        expect(JSON.parse(body('{"a": "<{{v}}>", "b": 1}', { v: value }))).toEqual({ a: `<${value}>`, b: 1 });
      }),
    );
  });
});
