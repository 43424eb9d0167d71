import { describe, expect, test } from "vitest";
import { type AccessRequest, decide } from "./access.ts";
import { type Grant, type GrantChange, grantRequests } from "./granting.ts";

const role = (members: Partial<Grant> = {}): Grant => ({ privileges: {}, categories: [], groups: [], ...members });
const sent = (...members: string[]): ReadonlySet<string> => new Set(members);

describe("the rights that the writer of a role needs", () => {
  test.each<[string, GrantChange, AccessRequest[]]>([
    ["nothing for an empty role", { after: role(), sent: sent() }, []],
    [
      "the privileges of a new role, but not falsy ones",
      { after: role({ privileges: { run_jobs: true, edit_tags: 1, abort_jobs: false } }), sent: sent("privileges") },
      [{ privilege: "run_jobs" }, { privilege: "edit_tags" }],
    ],
    [
      "the categories and groups of a new role",
      { after: role({ categories: ["c1"], groups: ["g1", "*"] }), sent: sent("categories", "groups") },
      [{ category: "c1" }, { group: "g1" }, { group: "*" }],
    ],
    [
      "administrator, for a role that makes administrators",
      { after: role({ privileges: { admin: 1, run_jobs: true }, categories: ["c1"] }), sent: sent("privileges") },
      [{ privilege: "admin" }],
    ],
    [
      "administrator, also while the role is off",
      { after: role({ enabled: false, privileges: { admin: true } }), sent: sent("privileges") },
      [{ privilege: "admin" }],
    ],
    [
      "administrator, to take admin out of a role",
      { before: role({ privileges: { admin: true } }), after: role(), sent: sent("privileges") },
      [{ privilege: "admin" }],
    ],
    [
      "administrator, to retitle a role that makes administrators",
      {
        before: role({ privileges: { admin: true } }),
        after: role({ privileges: { admin: true } }),
        sent: sent("title"),
      },
      [{ privilege: "admin" }],
    ],
    [
      "administrator, to remove a role that makes administrators",
      { before: role({ privileges: { admin: true } }), sent: sent() },
      [{ privilege: "admin" }],
    ],
    [
      "nothing for a title of a role with rights",
      {
        before: role({ privileges: { run_jobs: true }, categories: ["c1"] }),
        after: role({ privileges: { run_jobs: true }, categories: ["c1"] }),
        sent: sent("title"),
      },
      [],
    ],
    [
      "the privileges that were sent, also when they are there already",
      { before: role({ privileges: { a: true } }), after: role({ privileges: { a: true } }), sent: sent("privileges") },
      [{ privilege: "a" }],
    ],
    [
      "everything that a role has, to enable it",
      {
        before: role({ enabled: false, privileges: { a: true }, categories: ["c1"], groups: ["g1"] }),
        after: role({ enabled: true, privileges: { a: true }, categories: ["c1"], groups: ["g1"] }),
        sent: sent("enabled"),
      },
      [{ privilege: "a" }, { category: "c1" }, { group: "g1" }],
    ],
    [
      "all categories, to empty the list of a role",
      { before: role({ categories: ["c1"] }), after: role(), sent: sent("categories") },
      [{ category: "*" }],
    ],
    [
      "all groups, to put a star into the list of a role",
      { before: role({ groups: ["g1"] }), after: role({ groups: ["g1", "*"] }), sent: sent("groups") },
      [{ group: "*" }],
    ],
    [
      "all categories and groups, to disable a restricting role",
      {
        before: role({ categories: ["c1"], groups: ["g1"] }),
        after: role({ enabled: 0, categories: ["c1"], groups: ["g1"] }),
        sent: sent("enabled"),
      },
      [{ category: "*" }, { group: "*" }],
    ],
    [
      "all categories, to remove a restricting role",
      { before: role({ categories: ["c1"] }), sent: sent() },
      [{ category: "*" }],
    ],
    [
      "nothing, to remove a role that restricts no one",
      { before: role({ privileges: { a: true } }), sent: sent() },
      [],
    ],
    ["nothing, to remove a disabled role", { before: role({ enabled: false, categories: ["c1"] }), sent: sent() }, []],
    [
      "the remaining entries, to narrow a list",
      { before: role({ categories: ["c1", "c2"] }), after: role({ categories: ["c1"] }), sent: sent("categories") },
      [{ category: "c1" }],
    ],
  ])("%s", (_name, change, expected) => {
    expect(grantRequests(change)).toEqual(expected);
  });

  test("an administrator has all of them", () => {
    const admin = { known: true, privileges: { admin: true as const }, categories: [], groups: [] };
    const change = {
      before: role({ privileges: { admin: true } }),
      after: role({ categories: ["*"] }),
      sent: sent("categories"),
    };
    for (const request of grantRequests(change)) expect(decide(admin, request).allowed).toBe(true);
  });
});
