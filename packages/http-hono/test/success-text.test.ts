import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { successText } from "../src/success-text.ts";

const whole = (members: object, pretty: boolean): string =>
  `${JSON.stringify(Object.assign({ code: 0 }, members, { code: 0 }), null, pretty ? "\t" : undefined)}\n`;
const written = async (members: object, pretty: boolean): Promise<string> => String(await successText(members, pretty));

const element = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.record({ text: fc.string({ unit: "binary" }) }));
const answer = fc.record(
  {
    rows: fc.array(element, { maxLength: 200, minLength: 60, size: "max" }),
    list: fc.jsonValue(),
    none: fc.constant(undefined),
    code: fc.constantFrom(0, 5),
  },
  { requiredKeys: ["rows"] },
);

describe("the text of an answer with a long list", () => {
  test("is what JSON.stringify gives, with `code` first", async () => {
    await fc.assert(
      fc.asyncProperty(answer, fc.boolean(), async (members, pretty) => {
        expect(await written(members, pretty)).toBe(whole(members, pretty));
      }),
    );
  });

  const large = {
    rows: Array.from({ length: 500 }, (_, n) => ({ n, text: "ü\n".repeat(2000) })),
    list: { length: 500 },
  };

  test.each([false, true])("comes in slices when it is long, with the same bytes (pretty: %s)", async (pretty) => {
    const text = successText(large, pretty);
    expect(typeof text).not.toBe("string");
    expect(String(await text)).toBe(whole(large, pretty));
  });

  test("is given up when the caller has left", async () => {
    let asked = 0;
    const text = await successText(large, false, () => ++asked > 2);
    expect(text.length).toBeLessThan(whole(large, false).length / 2);
  });

  test("is given at once when it is short", () => {
    const members = { rows: Array.from({ length: 100 }, (_, n) => n) };
    expect(successText(members, false)).toBe(whole(members, false));
  });
});
