import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../core/test/code-point.ts";
import { successText } from "../src/success-text.ts";

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
  test("is what JSON.stringify gives, with `code` first", () => {
    fc.assert(
      fc.property(answer, fc.boolean(), (members, pretty) => {
        expect(written(members, pretty)).toBe(whole(members, pretty));
      }),
    );
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

  test("is what JSON.stringify gives of objects with members that have no text, or a text of their own", () => {
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

  test("is given at once when it is short", () => {
    const members = { rows: Array.from({ length: 100 }, (_, n) => n) };
    expect(successText(members, false)).toBe(whole(members, false));
  });
});
