import { describe, expect, test } from "vitest";
import { checkDefinitions, checkValues, forceLocked, withDefaults } from "./fields.ts";

const testPattern = (pattern: string, text: string): boolean => new RegExp(pattern).test(text);
const value = (definition: object, given: unknown): string | undefined =>
  checkValues([{ id: "p", ...definition }], { p: given }, testPattern);
const INVALID = "Parameter 'p' value is invalid.";

describe("checkValues", () => {
  test.each([
    [{ required: true }, undefined, "Parameter 'p' is required."],
    [{ required: true }, null, "Parameter 'p' is required."],
    [{ required: true }, "", "Parameter 'p' is required."],
    [{ required: true }, 0, undefined],
    [{ regex: "^a+$" }, "aaa", undefined],
    [{ regex: "^a+$" }, "b", INVALID],
    [{ regex: "^a+$" }, "", undefined],
    [{ regex: "(" }, "a", INVALID],
    [{ regex: "a" }, "a".repeat(10_001), INVALID],
    [{ range: "1-10" }, 10, undefined],
    [{ range: "1 - 10 / 3" }, 7, undefined],
    [{ range: "1-10/3" }, 8, "Parameter 'p' value is invalid (1-10/3)."],
    [{ range: "-5--1/any" }, -2.5, undefined],
    [{ range: "0-1/0.1" }, 0.3, undefined],
    [{ range: "0-1" }, "x", "Parameter 'p' value is invalid (0-1)."],
    [{ range: "huh" }, 5, "Parameter 'p' value is invalid (huh)."],
    [{ range: "huh" }, "", undefined],
  ])("for %j and %j answers %j", (definition, given, expected) => {
    expect(value(definition, given)).toBe(expected);
  });
});

describe("checkDefinitions", () => {
  const ok = { id: "a", type: "text", title: "A" };
  const tool = { id: "t", title: "T", description: "D", fields: [{ id: "f", title: "F", type: "text", value: "" }] };
  test.each([
    [[ok], undefined],
    [[{ ...ok, id: 5 }], "ID must be a string"],
    [[{ ...ok, id: "a b" }], "ID field must contain only alphanumerics, underscore, dash and period."],
    [[{ ...ok, id: "1a" }], "ID field must begin with an alpha character or underscore."],
    [[{ ...ok, id: "toString" }], "Invalid parameter ID: toString"],
    [[{ ...ok, id: "_xy_override_env" }], "Invalid parameter ID: _xy_override_env (reserved)"],
    [[{ ...ok, id: "_xy_override_label" }], undefined],
    [[ok, ok], "Duplicate parameter ID: a"],
    [[{ ...ok, type: 5 }], "Type must be a string"],
    [[{ ...ok, type: "x" }], "Invalid type"],
    [[{ id: "a", type: "text" }], "Title property is missing"],
    [[{ ...ok, title: 5 }], "Title must be a string"],
    [[{ ...ok, title: "<b>" }], "Title contains illegal characters"],
    [[{ ...ok, caption: "<b>" }], "Caption contains illegal characters"],
    [[{ ...ok, caption: 5 }], "Invalid caption (not a string)"],
    [[{ ...ok, caption: { toString: 1 } }], "Invalid caption (not a string)"],
    [[{ ...ok, variant: "x" }], "Invalid text field variant"],
    [[{ ...ok, type: "code", variant: 5 }], "Invalid variant (not a string)"],
    [[{ ...ok, regex: 5 }], "Invalid regular expression: not a string"],
    [[{ ...ok, regex: `${"a?".repeat(40)}${"a".repeat(40)}` }], "Invalid regular expression: too complex"],
    [[{ ...ok, range: 5 }], "Invalid range (not a string)"],
    [[{ ...ok, variant: null, caption: null, regex: "", range: null }], undefined],
    [[{ ...ok, locked: "yes" }], "Invalid locked flag"],
    [[{ ...ok, required: null }], "Invalid required flag"],
    [[{ ...ok, required: 1, locked: false }], undefined],
    [[5], "ID must be a string"],
    [[{ ...ok, id: "_xy_override_toString" }], "Invalid parameter ID: _xy_override_toString"],
    [[{ ...ok, type: "toolset", data: { tools: [tool] } }], undefined],
    [[{ ...ok, type: "toolset", data: {} }], "Toolset Data Error: There are no tools defined."],
    ...(
      [
        [{ description: "" }, "Missing description"],
        [{ fields: {} }, "Missing fields"],
        [{ fields: [{}] }, "Field #1: Missing id"],
        [{ fields: [{ id: "f" }] }, "Field f: Missing title"],
        [{ fields: [{ id: "f", title: "F", type: "group" }] }, "Field f: Invalid type"],
        [{ fields: [{ id: "f", title: "F", type: "text", variant: "x" }] }, "Field f: Invalid variant"],
        [{ fields: [{ id: "f", title: "F", type: "text", caption: 5 }] }, "Field f: Invalid caption"],
        [{ fields: [{ id: "f", title: "F", type: "text" }] }, "Field f: Invalid value"],
        [{ fields: [{ id: "f", title: "F", type: "checkbox", value: "on" }] }, "Field f: Invalid value"],
        [{ fields: [{ id: "f", title: "F", type: "json", value: "{}" }] }, "Field f: Invalid value"],
        [{ fields: [{ id: "f", title: "F", type: "text", variant: "number", value: "5" }] }, "Field f: Invalid value"],
      ] as const
    ).map(([members, fault]): [object[], string] => [
      [{ ...ok, type: "toolset", data: { tools: [{ ...tool, ...members }] } }],
      `Toolset Data Error: Tool t: ${fault}`,
    ]),
    [
      [{ ...ok, type: "toolset", data: { tools: [{ ...tool, fields: [{ id: "a" }] }] } }],
      "Toolset Data Error: Tool t: Field a: Duplicate ID",
    ],
  ])("%j: %j", (list, expected) => {
    expect(checkDefinitions(list as unknown[])?.reason).toBe(expected);
  });

  test("says why a pattern does not compile", () => {
    expect(checkDefinitions([{ ...ok, regex: "(" }])?.reason).toMatch(/^Invalid regular expression: /);
  });
});

describe("defaults", () => {
  const definitions = [
    { id: "text", type: "text", value: "a" },
    { id: "menu", type: "select", value: "One [1], Two [2]" },
    { id: "secret", type: "hidden", value: "h" },
    { id: "json", type: "json", value: { list: [] } },
    { id: "rule", type: "text", value: "d", locked: true },
  ];
  test("replace missing values, and always hidden ones", () => {
    expect(withDefaults(definitions, { text: "b", secret: "mine", more: 1 })).toEqual({
      text: "b",
      menu: "1",
      secret: "h",
      json: { list: [] },
      rule: "d",
      more: 1,
    });
  });

  test("copy objects, so that records share nothing", () => {
    expect(withDefaults(definitions, {})["json"]).not.toBe(definitions[3]?.value);
  });

  test("locked values become the default, or the stored value", () => {
    expect(forceLocked(definitions, { rule: "mine", text: "x" }, undefined)).toEqual({ rule: "d", text: "x" });
    expect(forceLocked(definitions, { rule: "mine" }, { rule: "stored" })).toEqual({ rule: "stored" });
  });
});
