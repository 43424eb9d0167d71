import { expect, test } from "vitest";
import { choicesOf, chosenOf, defaultOf, missing } from "./definitions.ts";

test.each([
  [
    "GET, POST",
    [
      ["GET", "GET"],
      ["POST", "POST"],
    ],
  ],
  [
    "Command [command], Script [script]",
    [
      ["command", "Command"],
      ["script", "Script"],
    ],
  ],
  ["Nothing [], ", [["", "Nothing"]]],
  [7, []],
])("a menu of %s offers %o", (value, choices) => {
  expect(choicesOf({ value }).map((choice) => [choice.value, choice.title])).toEqual(choices);
});

test.each([
  [{ id: "a", type: "text", value: "x" }, "x"],
  [{ id: "a", type: "select", value: "One [1], Two [2]" }, "1"],
  [{ id: "a", type: "select", value: "One, Two", multiple: true }, []],
  [{ id: "a", type: "checkbox", value: false }, false],
])("the default of %o is %o", (definition, value) => {
  expect(defaultOf(definition)).toEqual(value);
});

test("a value of the user takes precedence over the default, also a false one", () => {
  const box = { id: "a", type: "checkbox", value: true };
  expect([chosenOf(box, { a: false }), chosenOf(box, {})]).toEqual([false, true]);
});

test("a required field without an answer is missing, unless the user is not asked", () => {
  const required = (id: string, type: string, value?: unknown) => ({ id, type, value, required: true });
  const definitions = [
    required("a", "text"),
    required("b", "text", "x"),
    required("c", "hidden"),
    { id: "d", type: "text" },
  ];
  expect(missing(definitions, {})).toEqual(["a"]);
  expect(missing(definitions, { a: 0, b: "" })).toEqual(["b"]);
});
