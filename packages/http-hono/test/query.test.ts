import { parse } from "node:querystring";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseForm } from "../src/query.ts";

test("a text without escapes is read as Node reads it", () => {
  const character = fc.constantFrom("a", "b", "=", "&", "_", "[", "0", "é", "__proto__");
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
      const text = characters.join("");
      expect(Object.entries(parseForm(text))).toEqual(Object.entries(parse(text)));
    }),
    { numRuns: 2000 },
  );
});

test("escapes and blanks are resolved", () => {
  expect({ ...parseForm("a=%41+b&c=%zz") }).toEqual({ a: "A b", c: "%zz" });
});
