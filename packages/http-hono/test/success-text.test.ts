import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonText } from "../../core/src/lib/json/json-text.ts";
import { freezeKept } from "../../core/src/lib/text/kept-text.ts";
import { codePoint } from "../../core/test/code-point.ts";
import { successText } from "../src/answer/success-text.ts";

const whole = (members: object, pretty: boolean): string =>
  `${JSON.stringify(Object.assign({ code: 0 }, members, { code: 0 }), null, pretty ? "\t" : undefined)}\n`;
function written(members: object, pretty: boolean): string {
  const text = successText(members, pretty);
  return typeof text === "string" ? text : [...text].join("");
}

const element = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.record({ text: fc.string({ unit: codePoint }) }));
const answer = fc.record(
  {
    rows: fc.array(element, { maxLength: 200, minLength: 60, size: "max" }),
    list: fc.jsonValue(),
    named: fc.dictionary(fc.string(), element, { maxKeys: 100, size: "max" }),
    none: fc.constant(undefined),
    code: fc.constantFrom(0, 5),
  },
  { requiredKeys: ["rows"] },
);

describe("the text of an answer with a long list", () => {
  test("equals the text of JSON.stringify, with `code` first", () => {
    fc.assert(
      fc.property(answer, fc.boolean(), (members, pretty) => {
        expect(written(members, pretty)).toBe(whole(members, pretty));
      }),
    );
  });

  test.each([1, 5, 63, 64, 500])("is the same when %i rows are given as texts", (count) => {
    const rows = Array.from({ length: count }, (_, n) => ({ n, text: "ü\n" }));
    const texts = rows.map((row) => new JsonText(JSON.stringify(row)));
    for (const pretty of [false, true])
      expect(written({ rows: texts, list: { length: 9 } }, pretty)).toBe(whole({ rows, list: { length: 9 } }, pretty));
  });

  test.each([
    ["short", "ü\n", {}],
    ["long", "ü\n".repeat(200_000), {}],
    ["accompanied", "ü\n", { unknown: ["a"] }],
  ])("is the same when a %s record is given as a text", (_what, body, others) => {
    const record = { id: "a", body };
    for (const ticket of [new JsonText(JSON.stringify(record)), freezeKept({ ...record })])
      for (const pretty of [false, true])
        expect(written({ ticket, ...others }, pretty)).toBe(whole({ ticket: record, ...others }, pretty));
  });

  const large = {
    rows: Array.from({ length: 500 }, (_, n) => ({ n, text: "ü\n".repeat(2000) })),
    list: { length: 500 },
  };

  test.each([false, true])("comes in slices when it is long, with the same characters (pretty: %s)", (pretty) => {
    expect(typeof successText(large, pretty)).not.toBe("string");
    expect(written(large, pretty)).toBe(whole(large, pretty));
  });

  const text = 'Größe "5"\n'.repeat(30_000);
  test.each([
    ["a list of few large elements", { rows: Array.from({ length: 12 }, (_, n) => ({ n, text })) }],
    [
      "an object of many members",
      { jobs: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`j${n}`, { text }])) },
    ],
  ])("comes in slices for %s", (_what, members) => {
    for (const pretty of [false, true]) {
      expect([...successText(members, pretty)].length).toBeGreaterThan(5);
      expect(written(members, pretty)).toBe(whole(members, pretty));
    }
  });

  test("equals the text of JSON.stringify for members without a text, or with a text of their own", () => {
    const absent = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${n}`, undefined]));
    const own = { ...absent, toJSON: () => "own" };
    const members = {
      absent,
      own,
      some: { ...absent, here: [], '"': new Date(0) },
      rows: new Array(100).fill(undefined),
    };
    for (const pretty of [false, true]) expect(written(members, pretty)).toBe(whole(members, pretty));
  });

  test("is written at once when it is short", () => {
    const members = { rows: Array.from({ length: 100 }, (_, n) => n) };
    expect(successText(members, false)).toBe(whole(members, false));
  });
});

describe("the text of a list of definitions with cached texts", () => {
  const kept = fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()).map(freezeKept);

  test("equals the text of JSON.stringify, with cached texts of all records or some", () => {
    const rows = fc.array(fc.oneof({ arbitrary: kept, weight: 9 }, { arbitrary: element, weight: 1 }), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(
        fc.record({ rows, list: fc.jsonValue(), unknown: fc.jsonValue() }),
        fc.boolean(),
        (members, pretty) => {
          for (let again = 0; again < 2; again++) expect(written(members, pretty)).toBe(whole(members, pretty));
        },
      ),
    );
  });

  test("keeps a member called code, and leaves out members without a text", () => {
    const rows = [freezeKept({ id: "a" })];
    for (const members of [
      { rows, list: {}, code: 5 },
      { rows, list: undefined },
      { rows, list: {}, none: undefined },
    ])
      expect(written(members, false)).toBe(whole(members, false));
  });

  test("comes in slices when it is long", () => {
    const rows = Array.from({ length: 12 }, (_, n) => freezeKept({ n, text: "ü".repeat(30_000) }));
    const members = { rows, list: { length: 12 } };
    expect(typeof successText(members, false)).not.toBe("string");
    expect(written(members, false)).toBe(whole(members, false));
  });
});
