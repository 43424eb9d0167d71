import { parse } from "node:querystring";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseForm, shownUrl } from "../src/input/query.ts";

test("a text without escapes is decoded like in Node", () => {
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

test.each([
  ["http://h/api/app/echo/v1", "/api/app/echo/v1"],
  ["http://h/a?b=1&api_key=k&c=%2B#d", "/a?b=1&c=%2B#d"],
  ["http://h/a?session_id=s&%61pi_key=k", "/a"],
  ["http://h/a?api_keys=1&csrf_token", "/a?api_keys=1"],
])("of %s the log shows %s", (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});
