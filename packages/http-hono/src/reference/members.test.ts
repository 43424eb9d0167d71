import { expect, test } from "vitest";
import { type Described, memberRows, typeText } from "./members.ts";

test.each<[string, Described]>([
  ["string", { type: "string" }],
  ["string or null", { type: ["string", "null"] }],
  ["any", {}],
  ["list", { type: "array" }],
  ["list of #Trigger", { type: "array", items: { $ref: "#/components/schemas/Trigger" } }],
  ['"a" or 1', { enum: ["a", 1] }],
  ["0", { const: 0 }],
  ["boolean or integer", { anyOf: [{ type: "boolean" }, { type: "integer" }, { type: "boolean" }] }],
])("the type %s", (words, schema) => {
  expect(typeText(schema)).toBe(words);
});

test("members are listed with their bounds, followed by the members of objects and lists", () => {
  const rows = memberRows({
    required: ["id"],
    properties: {
      id: { type: "string", maxLength: 9, pattern: "^a", description: "Of the tag" },
      rows: {
        type: "array",
        maxItems: 5,
        items: { type: "object", properties: { at: { type: "number", minimum: 1 } } },
      },
      more: { anyOf: [{ type: "null" }, { type: "object", properties: { n: { type: "integer", maximum: 2 ** 53 } } }] },
    },
  });
  expect(rows.map(({ path, type, isNeeded, text }) => [path, type, isNeeded, text])).toEqual([
    ["id", "string", true, "Of the tag. At most 9 characters. Matches `^a`."],
    ["rows", "list of object", false, "At most 5 elements."],
    ["rows[].at", "number", false, "At least 1."],
    ["more", "null or object", false, ""],
    ["more.n", "integer", false, ""],
  ]);
});

test("a recursive object ends", () => {
  const tree: { properties: Record<string, unknown> } = { properties: {} };
  tree.properties["child"] = tree;
  expect(
    memberRows(tree as Described)
      .map(({ path }) => path)
      .at(-1),
  ).toBe("child.child.child.child.child");
});
