import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../core/test/rounds.ts";
import { OverBounds, parseInSlices } from "../src/json/json-bytes.ts";
import { PIECE_BYTES } from "../src/json/json-texts.ts";
import { createParsingTurns } from "../src/json/parsing-turns.ts";

const BOUNDS = { depth: 64, members: 100_000, width: 5000 };
const read = (text: string | Buffer, bounds = {}) =>
  parseInSlices(Buffer.from(text as string), { ...BOUNDS, ...bounds }, createParsingTurns());
const parse = async (text: string | Buffer, bounds = {}) => (await read(text, bounds)).value;

const json = fc.json({ maxDepth: 6 });
const blank = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });

describe("parsing in slices", () => {
  test.each([
    ['{"a":{"b":[{"__proto__":1}]}}', true],
    ['{"a":{"b":["__proto__"]}}', false],
  ])("%s contains a member __proto__: %s", async (text, expected) => {
    expect((await read(text)).hasPrototype).toBe(expected);
  });

  test("gives the value of JSON.parse", async () => {
    await fc.assert(
      fc.asyncProperty(json, blank, blank, fc.boolean(), async (text, before, after, isPretty) => {
        const written = before + (isPretty ? JSON.stringify(JSON.parse(text), null, 2) : text) + after;
        expect(await parse(written)).toEqual(JSON.parse(written));
      }),
    );
  });

  test("refuses the same texts as JSON.parse", async () => {
    const piece = fc.constantFrom(...'{}[],:"\\\n 01-+.eEtnu', '"a"', "true", "null", "\\u00", "1", "__proto__");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const text = pieces.join("");
        let expected: unknown = SyntaxError;
        try {
          expected = JSON.parse(text);
        } catch {
          await expect(parse(text)).rejects.toThrow(SyntaxError);
          return;
        }
        expect(await parse(text)).toEqual(expected);
      }),
      { numRuns: rounds(400, 2000) },
    );
  });

  test("keeps a member named after the prototype visible, and the prototype unchanged", async () => {
    const value = (await parse('{"a":{"__proto__":{"x":1}}}')) as { a: object };
    expect(Object.keys(value.a)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  });

  test.each([
    ["the last of two members with one name", '{"a":1,"a":2}', { a: 2 }],
    [
      "all kinds of values",
      '[true,false,null,-0.5e-3,"\\u00e9\\n\\"",{},[]]',
      [true, false, null, -0.0005, 'é\n"', {}, []],
    ],
  ])("%s", async (_what, text, expected) => {
    expect(await parse(text)).toEqual(expected);
  });

  test.each([
    ["depth", `${"[".repeat(3)}1${"]".repeat(3)}`, { depth: 2 }],
    ["members", "[1,2,[3]]", { members: 3 }],
    ["width", '[{"a":1,"b":2,"c":3}]', { width: 2 }],
  ])("stops at the bound of %s", async (_which, text, bounds) => {
    await expect(parse(text, bounds)).rejects.toThrow(OverBounds);
    expect(await parse(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ["two bytes", "é"],
    ["three bytes", "€"],
    ["four bytes", "😀"],
    ["an escape", "\\n"],
    ["an escaped back-slash", "\\\\u00e9"],
    ["an escaped quote", '\\"'],
    ["an escape by number", "\\u00e9"],
    ["a character escaped in halves", "\\ud83d\\ude00"],
    ["bytes that are no UTF-8", Buffer.from([0xe2, 0x82, 0x80, 0x80, 0x80, 0xf0, 0x9f, 0x22 + 1, 0xff])],
    ["half a character at the end of the text", Buffer.from([0xf0, 0x9f, 0x98])],
  ])("reads a long text whose pieces meet at %s", async (_what, tricky) => {
    for (let before = PIECE_BYTES - 14; before <= PIECE_BYTES + 1; before++)
      for (const behind of [0, 3]) {
        const parts = ['["', "x".repeat(before), tricky, "y".repeat(behind), '",1]'];
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
        const [text, one] = (await parse(bytes)) as string[];
        const [expected] = JSON.parse(new TextDecoder().decode(bytes)) as string[];
        expect([text === expected, one]).toEqual([true, 1]);
      }
  });

  test.each([
    ["a text without an end", `["${"x".repeat(PIECE_BYTES)}`],
    ["a long text with a control character", `["${"x".repeat(PIECE_BYTES)}\n"]`],
    ["a long text with an invalid escape", `["${"x".repeat(PIECE_BYTES - 1)}\\x"]`],
  ])("refuses %s", async (_what, text) => {
    await expect(parse(text)).rejects.toThrow(SyntaxError);
  });

  test.each([
    ["name", `{"${"x".repeat(PIECE_BYTES)}":1}`],
    ["number", `[${"1".repeat(70_000)}]`],
  ])("refuses a %s that is too large", async (_what, text) => {
    await expect(parse(text)).rejects.toThrow(OverBounds);
  });

  test("skips the byte order mark of UTF-8 at the start, and keeps one inside", async () => {
    expect(await parse('\ufeff["\ufeff"]')).toEqual(["\ufeff"]);
  });

  test("yields to other work meanwhile", async () => {
    const names = Array.from({ length: 90_000 }, (_, index) => `{"n${index}":${index}}`);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const parsed = await parse(`[${names.join(",")}]`, { members: 200_000 });
    isDone = true;
    expect((parsed as object[]).length).toBe(90_000);
    expect(turns).toBeGreaterThan(2);
  });

  test("takes long runs of blanks and back-slashes in one pass", async () => {
    const blanks = " ".repeat(4_000_000);
    expect(await parse(`${blanks}[${blanks}1${blanks}]${blanks}`)).toEqual([1]);
    const slashes = "\\\\".repeat(1_000_000);
    expect(((await parse(`["${slashes}"]`)) as string[])[0]?.length).toBe(1_000_000);
  });
});
