import { expect, test } from "vitest";
import { recordOf } from "./record.ts";

const ROW = { id: "a1", action: "x", headers: { host: "h" }, ips: [], keywords: ["t1"] };

test.each([
  ["a record", { ...ROW, tag: { id: "t1", title: "T" } }, { member: "tag", id: "t1", value: { id: "t1", title: "T" } }],
  ["an account", { ...ROW, user: { username: "mara" } }, { member: "user", id: "mara", value: { username: "mara" } }],
  ["an object without an id", { ...ROW, params: { tz: 1 } }, { member: "params", id: undefined, value: { tz: 1 } }],
  [
    "what brought it about before its record",
    { ...ROW, cause: { kind: "user", id: "mara" }, tag: { id: "t1" } },
    { member: "tag", id: "t1", value: { id: "t1" } },
  ],
  ["nothing but texts", { ...ROW, note: "n" }, undefined],
])("a row with %s", (_case, row, told) => {
  expect(recordOf(row)).toEqual(told);
});
