import { describe, expect, test } from "vitest";
import { InputError } from "../../kernel/errors/errors.ts";
import { checkCommonParameters, markChecked } from "./common.ts";

const nested = (depth: number): unknown => {
  let value: unknown = "leaf";
  for (let level = 1; level < depth; level++) value = level % 2 ? { m: value } : [value];
  return value;
};

test("undefined members count as absent", () => {
  expect(Object.keys(checkCommonParameters({ id: "x", notes: undefined, other: undefined }))).toEqual(["id"]);
});

describe("refused parameters", () => {
  test.each<[string, unknown, string]>([
    ["a reserved member", { constructor: 1 }, "Invalid parameter: constructor (illegal key)"],
    ["a member named 0", { 0: 1 }, "Invalid parameter: 0 (illegal key)"],
    ["__proto__", JSON.parse('{"__proto__": {}}'), "Invalid parameter: __proto__ (illegal key)"],
    ["__proto__ below", JSON.parse('{"a": [{"__proto__": 1}]}'), "Invalid parameter: __proto__ (illegal key)"],
    ["an id that is no text", { id: 5 }, "Invalid ID parameter: 5 (not a string)"],
    ["an id that is an object", { id: { a: 1 } }, 'Invalid ID parameter: {"a":1} (not a string)'],
    ["a reserved id", { id: "hasOwnProperty" }, "Invalid ID parameter: hasOwnProperty (reserved word)"],
    ["a long id", { id: "a".repeat(65) }, "Malformed parameter: id"],
    ["a title that is no text", { title: 5 }, "Parameter is not type string: title"],
    ["markup in the title", { title: "a > b" }, "Malformed title parameter: Cannot contain HTML metacharacters"],
    ["a long title", { title: "a".repeat(257) }, "Malformed parameter: title"],
    ["a text that no record can keep", { query: "a".repeat(2_097_153) }, "Malformed parameter: query"],
    ["notes that would be such a text", { notes: ["a".repeat(2_097_152)] }, "Malformed parameter: notes"],
    ["an object of 64 KB for a text", { message: { a: "a".repeat(65_536) } }, "Malformed parameter: message"],
    ["an icon that is no text", { icon: [] }, "Parameter is not type string: icon"],
    ["an icon with blanks", { icon: "a b" }, "Malformed icon parameter: Contains illegal characters"],
    ["65 levels", { a: nested(65) }, "Malformed request body."],
    ["100001 members", { list: Array.from({ length: 100_000 }, () => 1) }, "Malformed request body."],
  ])("%s", (_name, input, description) => {
    expect(() => checkCommonParameters(input)).toThrow(new InputError(description));
  });
});

describe("accepted parameters", () => {
  test.each<[string, Record<string, unknown>]>([
    ["64 characters of id", { id: "a".repeat(64) }],
    ["256 characters of title", { title: "a".repeat(256) }],
    ["members that are null", { id: null, title: null, icon: null, notes: null }],
    ["an empty icon", { icon: "" }],
    ["two megabytes of text", { query: "a".repeat(2_097_152) }],
    ["a longer text below", { params: { text: "a".repeat(2_097_153) } }],
    ["reserved words below", { a: { constructor: 1 } }],
    ["64 levels", { a: nested(64) }],
    ["100000 members", { list: Array.from({ length: 99_999 }, () => 1) }],
  ])("%s", (_name, input) => {
    expect(checkCommonParameters(input)).toEqual(input);
  });

  test("a tree that its reader has checked is not checked again", () => {
    const body = { a: nested(65), b: JSON.parse('{"__proto__": 1}') as object };
    markChecked(body);
    expect(checkCommonParameters({ ...body, c: 1 })).toEqual({ ...body, c: 1 });
    expect(() => checkCommonParameters({ a: structuredClone(body.a) })).toThrow("Malformed request body.");
  });

  test.each([undefined, null, [], "text", 5, true])("%j has no members", (input) => {
    expect(checkCommonParameters(input)).toEqual({});
  });

  test("a list as deep as the stack does not end the process", () => {
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(() => checkCommonParameters({ deep })).toThrow("Malformed request body.");
  });
});

describe("changed parameters", () => {
  test("notes, label and message lose their tags and become text", () => {
    expect(checkCommonParameters({ notes: "<b>a</b> < c >", label: 5, message: "a < b <i>{{ x < y }}</i>" })).toEqual({
      notes: "a ",
      label: "5",
      message: "a < b {{ x < y }}",
    });
    expect(checkCommonParameters({ notes: { a: "<b>" } })).toEqual({ notes: '{"a":""}' });
  });

  test("the given object is not changed", () => {
    const input = Object.freeze({ notes: "<b>a</b>" });
    expect(checkCommonParameters(input)).toEqual({ notes: "a" });
    expect(input.notes).toBe("<b>a</b>");
  });

  test("inherited members are not read, and values of the host are not walked", () => {
    const schema = Object.create({ inherited: 1 }) as object;
    const signal = new AbortController().signal;
    expect(checkCommonParameters(Object.assign(schema, { own: 1, signal }))).toEqual({ own: 1, signal });
  });
});
