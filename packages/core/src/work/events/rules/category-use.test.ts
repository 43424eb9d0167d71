import { expect, test } from "vitest";
import { usesCategory } from "./category-use.ts";

test.each<[object, boolean]>([
  [{ category: "a" }, true],
  [{ category: "b" }, false],
  [{}, false],
  [{ category: "b", workflow: { nodes: [{ type: "job", data: { category: "a" } }] } }, true],
  [{ category: "b", workflow: { nodes: [{ type: "job", data: { category: "c" } }, {}] } }, false],
  [{ category: "b", workflow: { nodes: [null, 5, { data: null }, { data: "a" }] } }, false],
  [{ category: "b", workflow: { nodes: {} } }, false],
  [{ category: "b", workflow: null }, false],
])("the event %j uses category a: %s", (event, expected) => {
  expect(usesCategory({ ...event }, "a")).toBe(expected);
});
