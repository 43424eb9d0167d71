import { expect, test } from "vitest";
import * as z from "zod";
import { Id } from "./fields/fields.ts";
import { describeIssue } from "./issues.ts";
import { itemsOf } from "./items.ts";
import { asList } from "./schemas/lists.ts";

const schema = z.looseObject({ items: itemsOf(z.looseObject({ id: Id, notes: z.string().optional() })) });

const fault = (input: Record<string, unknown>): string => {
  const issue = schema.safeParse(input).error?.issues[0];
  return issue ? describeIssue(issue, input) : "no fault";
};

test.each<[Record<string, unknown>, string]>([
  [{}, "Request missing 'items' parameter, or has zero length."],
  [{ items: [] }, "Request missing 'items' parameter, or has zero length."],
  [{ items: { id: "a" } }, "Request missing 'items' parameter, or has zero length."],
  [{ items: [{ id: "a" }, {}] }, "Missing parameter: id"],
  [{ items: [{ id: "A" }] }, "Malformed parameter: id"],
])("%j is refused", (input, description) => {
  expect(fault(input)).toBe(description);
});

test("a thousand items are accepted, and a longer list is refused unread", () => {
  const many = Array.from({ length: 1001 }, (_, at) => ({ id: at < 1000 ? `a${at}` : "A" }));
  expect(schema.parse({ items: many.slice(0, 1000) }).items).toHaveLength(1000);
  expect(fault({ items: many })).toBe("Malformed parameter: items (at most 1000)");
});

test("the common rules apply to each item", () => {
  expect(schema.parse({ items: [{ id: "a", notes: "<b>n</b>", extra: 1 }] }).items).toEqual([
    { id: "a", notes: "n", extra: 1 },
  ]);
  expect(() => schema.safeParse({ items: [{ id: "toString" }] })).toThrow(
    "Invalid ID parameter: toString (reserved word)",
  );
});

test("the members of an item stay in the order in which they were sent", () => {
  const [item] = schema.parse({ items: [{ extra: 1, notes: "n", id: "a" }] }).items;
  expect(Object.keys(item ?? {})).toEqual(["extra", "notes", "id"]);
});

test("the schema can be described in a reference", () => {
  expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({
    properties: { items: { type: "array", minItems: 1, maxItems: 1000 } },
  });
});

test("a list gives its length without paging", () => {
  expect(asList([1, 2])).toEqual({ rows: [1, 2], list: { length: 2 } });
  expect(asList([1], 50)).toEqual({ rows: [1], list: { length: 50 } });
});
