import { expect, test } from "vitest";
import { mergeReadings } from "./host-readings.ts";

const known = new Map<string, number | string>([["depth", 1]]);

test("the newest value of a name wins, null removes one, others stay", () => {
  expect(mergeReadings(known, { depth: 2, mode: "busy" })).toEqual(
    new Map<string, unknown>([
      ["depth", 2],
      ["mode", "busy"],
    ]),
  );
  expect(mergeReadings(known, { depth: null, gone: null })).toEqual(new Map());
  expect(mergeReadings(known, {})).toEqual(known);
});

test.each([
  ["a name with a blank", { "queue depth": 1 }, "queue depth"],
  ["a name that begins with a digit", { "1st": 1 }, "1st"],
  ["a name that is too long", { ["x".repeat(65)]: 1 }, "xxx"],
  ["a name that expressions cannot hold", { constructor: 1 }, "constructor"],
  ["the name __proto__", JSON.parse('{"__proto__": 1}'), "__proto__"],
  ["a literal", { true: 1 }, "true"],
  ["no number", { depth: Number.NaN }, "depth"],
  ["no end", { depth: Number.POSITIVE_INFINITY }, "depth"],
  ["a text that is too long", { mode: "x".repeat(257) }, "mode"],
  ["a list", { list: [1] as never }, "list"],
  ["a switch", { on: true as never }, "on"],
  ["undefined", { depth: undefined as never }, "depth"],
])("%s is refused by its name", (_fact, readings, name) => {
  expect(() => mergeReadings(known, readings)).toThrow(new RegExp(`reading ${name}`));
});

test("a report that is no object is refused", () => {
  for (const wrong of [null, 5, "x", [1]]) expect(() => mergeReadings(known, wrong as never)).toThrow(TypeError);
});

test("two hundred readings are kept at most", () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_unused, index) => [`r${index}`, index]));
  expect(mergeReadings(new Map(), many).size).toBe(200);
  expect(() => mergeReadings(known, many)).toThrow("more than 200");
  expect(mergeReadings(known, { ...many, depth: null }).size).toBe(200);
});
