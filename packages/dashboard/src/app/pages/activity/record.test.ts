import { expect, test } from "vitest";
import { isState, pathOf, recordOf } from "./record.ts";

const ROW = { id: "a1", action: "x", headers: { host: "h" }, ips: [], keywords: ["t1"] };

test.each([
  ["a record", { ...ROW, tag: { id: "t1", title: "T" } }, { member: "tag", id: "t1", value: { id: "t1", title: "T" } }],
  ["an account", { ...ROW, user: { username: "mara" } }, { member: "user", id: "mara", value: { username: "mara" } }],
  ["an object without an id", { ...ROW, params: { tz: 1 } }, { member: "params", id: undefined, value: { tz: 1 } }],
  [
    "a cause before its record",
    { ...ROW, cause: { kind: "user", id: "mara" }, tag: { id: "t1" } },
    { member: "tag", id: "t1", value: { id: "t1" } },
  ],
  ["nothing but texts", { ...ROW, note: "n" }, undefined],
])("a row with %s", (_case, row, told) => {
  expect(recordOf(row)).toEqual(told);
});

test.each([
  ["a whole record", { tag: { id: "t1", title: "T", modified: 1 } }, true],
  ["a record that is only named", { user: { username: "mara", full_name: "Mara" } }, false],
  ["values without an id", { state: { scheduler: { enabled: true } } }, true],
])("%s: a state or not", (_case, row, is) => {
  const told = recordOf(row);
  expect(told && isState(told)).toBe(is);
});

test.each([
  [{ action: "ticket_update", ticket: { id: "t1" } }, "/tickets/t1"],
  [{ action: "category_create", category: { id: "billing" } }, "/categories/billing"],
  [{ action: "user_update", user: { username: "mara" } }, "/people/mara"],
  [{ action: "alert_new", alert: { id: "a1" } }, "/alerts/a1"],
  [{ action: "alert_update", alert: { id: "disk" } }, "/alert-rules/disk"],
  [{ action: "tag_delete", tag: { id: "slow" } }, undefined],
  [{ action: "alert_delete_invocation", alert: { id: "a1" } }, undefined],
  [{ action: "state_update", state: { scheduler: { enabled: true } } }, undefined],
  [{ action: "warning" }, undefined],
])("%j leads to %s", (row, path) => {
  expect(pathOf(row)).toBe(path);
});
