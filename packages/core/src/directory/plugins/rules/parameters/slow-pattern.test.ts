import { expect, test } from "vitest";
import { requireQuick } from "../../../../expressions/index.ts";
import { findSlowPattern } from "./slow-pattern.ts";

const slow = { id: "a", type: "text", title: "A", regex: "^(a+)+$" };
const quick = { ...slow, id: "b", regex: "^a+$" };
const tool = {
  id: "t",
  type: "toolset",
  title: "T",
  data: { tools: [{ id: "x", fields: [quick, { ...slow, id: "f" }] }] },
};
const reason = "Invalid regular expression: Regular expression takes too long";

test.each([
  [[], [], undefined],
  [[quick, { id: "c" }, null, { ...quick, regex: 5 }], [], undefined],
  [[quick, slow], [], { id: "a", reason }],
  [[slow], [{ ...slow, id: "z" }], undefined],
  [[quick, tool], [quick], { id: "t", reason }],
  [[tool], [tool], undefined],
])("%j, stored %j: %j", (list, stored, expected) => {
  expect(findSlowPattern(list, stored, requireQuick)).toEqual(expected);
});
