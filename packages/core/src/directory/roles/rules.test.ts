import { expect, test } from "vitest";
import { ALL_USERS, changeRole, newRole, withoutRole } from "./rules.ts";

const stamp = { id: "r1", username: "joe", now: 100 };

test("a new role is enabled, restricts no one and keeps only granted privileges", () => {
  expect(newRole({ title: "Ops", privileges: { run_jobs: 1, admin: 0 } }, stamp)).toEqual({
    id: "r1",
    title: "Ops",
    enabled: true,
    icon: "",
    notes: "",
    privileges: { run_jobs: true },
    categories: [],
    groups: [],
    username: "joe",
    created: 100,
    modified: 100,
    revision: 1,
  });
});

test("an update replaces privileges and lists whole", () => {
  const stored = newRole({ title: "Ops", privileges: { run_jobs: true }, categories: ["c1", "c2"] }, stamp);
  const sent = { id: "r1", privileges: { edit_tags: true, run_jobs: false }, categories: ["c3"], username: "eve" };
  expect(changeRole(stored, sent, 200)).toEqual({
    ...stored,
    privileges: { edit_tags: true },
    categories: ["c3"],
    modified: 200,
    revision: 2,
  });
});

test("a holder loses only the role that is deleted", () => {
  expect(withoutRole({ id: "k", roles: ["a", "b"] }, "a")).toEqual({ id: "k", roles: ["b"] });
  const other = { id: "k", roles: ["b"] };
  expect(withoutRole(other, "a")).toBe(other);
  const none: { roles?: string[] } = {};
  expect(withoutRole(none, "a")).toBe(none);
});

test("the preset lets its holders write and run events", () => {
  expect(newRole(ALL_USERS, { ...stamp, id: "all" })).toMatchObject({
    id: "all",
    title: "All Users",
    privileges: { create_events: true, edit_events: true, run_jobs: true, tag_jobs: true },
  });
});
