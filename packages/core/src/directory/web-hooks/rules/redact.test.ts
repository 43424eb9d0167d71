import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { threadMs } from "../../../../test/thread-time.ts";
import { hiddenParts } from "./hidden.ts";
import { createRedact, REDACTED } from "./redact.ts";

describe("redaction", () => {
  test.each<[string, string[], string]>([
    ["a key abc here", ["abc"], "a key (REDACTED) here"],
    ["abcabc", ["abc"], "(REDACTED)"],
    ["abcdef", ["abc", "abcdef"], "(REDACTED)"],
    // Overlapping values are hidden as one, so no part of the second remains.
    ["xabcdx", ["abc", "bcd"], "x(REDACTED)x"],
    ["xababax", ["aba"], "x(REDACTED)x"],
    ["1 and 2", ["1"], "(REDACTED) and 2"],
    ["nothing", ["", "abc"], "nothing"],
    ["q=a%20b%2Fc", ["a b/c"], "q=(REDACTED)"],
    ["q=a%20b%2fc", ["a b/c"], "q=(REDACTED)"],
    ["q=a+b%2Fc", ["a b/c"], "q=(REDACTED)"],
    ["q=a%20b/c", ["a b/c"], "q=(REDACTED)"],
    ['{"k":"p@ss\\"w0rd\\u00e9"}', ['p@ss"w0rdé'], '{"k":"(REDACTED)"}'],
    ['{"k":"p@ss\\"w0rdé"}', ['p@ss"w0rdé'], '{"k":"(REDACTED)"}'],
    ['{"k":"https:\\/\\/h\\/t"}', ["https://h/t"], '{"k":"(REDACTED)"}'],
    ["the word REDACTED", ["REDACTED"], "the word (REDACTED)"],
  ])("%j without %j is %j", (text, values, expected) => {
    expect(createRedact(values)(text)).toBe(expected);
  });

  test("leaves no value in any text", async () => {
    const value = fc.string({ minLength: 4, maxLength: 20 }).filter((text) => !REDACTED.includes(text));
    await fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), fc.array(fc.string()), (values, around) => {
        const text = around.flatMap((part, index) => [part, values[index % values.length] ?? ""]).join("|");
        const shown = createRedact(values)(text).replaceAll(REDACTED, "\u0000");
        for (const each of values) expect(shown).not.toContain(each);
      }),
    );
  });

  test("hides every letter of every occurrence, also overlapping ones", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
    const value = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.property(text, fc.array(value, { minLength: 1, maxLength: 3 }), (whole, values) => {
        const isHidden = (at: number): boolean =>
          values.some((each) =>
            Array.from(each, (_, back) => at - back).some((start) => start >= 0 && whole.startsWith(each, start)),
          );
        const shown = Array.from(whole, (letter, at) => (isHidden(at) ? "_" : letter)).join("");
        expect(createRedact(values)(whole).replaceAll(REDACTED, "_").replace(/_+/g, "_")).toBe(
          shown.replace(/_+/g, "_"),
        );
      }),
    );
  });

  test("takes hardly any time for a megabyte of one letter", () => {
    const text = "a".repeat(1_048_576);
    let shown = "";
    const took = threadMs(() => {
      shown = createRedact(["a".repeat(50_000), "a"])(text);
    });
    expect(shown).toBe(REDACTED);
    expect(took).toBeLessThan(1000);
  });
});

describe("secret parts of an address", () => {
  const url = "https://hooks.example/services/T0?x=1";
  test.each<[string, string[]]>([
    [url, []],
    ["https://hooks.example/services/(REDACTED)", [url]],
    ["https://(REDACTED)/services/T0", [url, "https://hooks.example", "hooks.example", "hooks.example"]],
    ["https://hooks(REDACTED)", [url, "https://hooks.example", "hooks.example", "hooks.example"]],
    [
      "(REDACTED)",
      [url, "https://hooks.example", "hooks.example", "hooks.example", "/services/T0?x=1", "/services/T0", "?x=1"],
    ],
  ])("are shown as %s", (shown, expected) => {
    expect(hiddenParts(url, shown)).toEqual(expected);
  });

  test("do not include the slash of a bare host", () => {
    expect(hiddenParts("https://hooks.example/", "(REDACTED)")).not.toContain("/");
  });
});
