import { describe, expect, test } from "vitest";
import { newCategory, nextSortOrder } from "./rules.ts";

describe("nextSortOrder", () => {
  test.each<[string, { sort_order?: unknown }[], number]>([
    ["no records", [], 0],
    ["one record", [{ sort_order: 0 }], 1],
    ["a hole", [{ sort_order: 5 }, { sort_order: 2 }], 6],
    ["negative orders", [{ sort_order: -5 }], 0],
    ["fractions", [{ sort_order: 1.5 }], 2.5],
    ["imported nonsense", [{ sort_order: "7" }, {}, { sort_order: Number.NaN }], 0],
  ])("after %s", (_name, records, expected) => {
    expect(nextSortOrder(records)).toBe(expected);
  });
});

test("newCategory fills in every default and replaces server members", () => {
  const input = { title: "T", extra: 1, username: "mallory", created: 5, revision: 9, sort_order: 99 };
  expect(newCategory(input, { id: "ca1", username: "joe", now: 100, sortOrder: 3 })).toEqual({
    id: "ca1",
    title: "T",
    extra: 1,
    enabled: true,
    color: "plain",
    icon: "",
    notes: "",
    actions: [],
    limits: [],
    sort_order: 3,
    username: "joe",
    created: 100,
    modified: 100,
    revision: 1,
  });
});
