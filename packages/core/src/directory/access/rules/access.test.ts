import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AccessRequest, decide, effectivePrivileges, type Rights } from "./access.ts";

const rights = (members: Partial<Rights> = {}): Rights => ({
  known: true,
  privileges: {},
  categories: [],
  groups: [],
  ...members,
});
const limited = { privileges: { edit_events: true }, categories: ["c1", "c2"], groups: ["g1"] } as const;

describe("decide", () => {
  test.each<[string, Partial<Rights>, AccessRequest, true | string]>([
    ["an unknown caller", { known: false }, {}, "session"],
    ["an unknown caller with admin", { known: false, privileges: { admin: true } }, {}, "session"],
    ["any known caller", {}, {}, true],
    ["a privilege that is held", limited, { privilege: "edit_events" }, true],
    ["a privilege that is missing", limited, { privilege: "create_events" }, "privilege"],
    ["an administrator without the privilege", { privileges: { admin: true } }, { privilege: "anything" }, true],
    ["the admin privilege itself", limited, { privilege: "admin" }, "privilege"],
    ["an inherited name", limited, { privilege: "toString" }, "privilege"],

    ["an own category", limited, { category: "c1" }, true],
    ["a foreign category", limited, { category: "c3" }, "category"],
    ["an empty category id", limited, { category: "" }, "category"],
    ["all categories, limited", limited, { category: "*" }, "category"],
    ["all categories, unlimited", {}, { category: "*" }, true],
    ["all categories with a star in the list", { categories: ["*"] }, { category: "*" }, true],
    ["any category with a star in the list", { categories: ["c1", "*"] }, { category: "c9" }, true],
    ["an administrator limited by mistake", { ...limited, privileges: { admin: true } }, { category: "c3" }, true],

    ["an own group", limited, { group: "g1" }, true],
    ["a foreign group", limited, { group: "g2" }, "group"],
    ["all groups, limited", limited, { group: "*" }, "group"],

    ["no targets", limited, { targets: [] }, true],
    ["targets with an own group", limited, { targets: ["server1", "g1"] }, true],
    ["targets without an own group", limited, { targets: ["server1", "g2"] }, "targets"],
    ["targets, unlimited", {}, { targets: ["server1"] }, true],
    ["targets without an own group, run on a server of one", limited, { targets: ["s1"], ranOn: ["g0", "g1"] }, true],
    ["targets and a server without an own group", limited, { targets: ["s1"], ranOn: ["g2"] }, "targets"],

    ["a server of an own group", limited, { serverGroups: ["g0", "g1"] }, true],
    ["a server of foreign groups", limited, { serverGroups: ["g2"] }, "server"],
    ["a server without groups", limited, { serverGroups: [] }, "server"],
    ["a server without groups, unlimited", {}, { serverGroups: [] }, true],

    ["privilege before category", limited, { privilege: "x", category: "c9" }, "privilege"],
    ["category before group", limited, { category: "c9", group: "g9" }, "category"],
    ["group before targets", limited, { group: "g9", targets: ["g9"] }, "group"],
  ])("%s", (_name, who, request, expected) => {
    expect(decide(rights(who), request)).toEqual(
      expected === true ? { allowed: true } : { allowed: false, reason: expected },
    );
  });

  test("an administrator passes every request, an unknown caller none", async () => {
    const ids = fc.array(fc.string());
    const request = fc.record(
      { privilege: fc.string(), category: fc.string(), group: fc.string(), targets: ids, serverGroups: ids },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.property(request, ids, ids, (asked, categories, groups) => {
        const administrator = rights({ privileges: { admin: true }, categories, groups });
        expect(decide(administrator, asked).allowed).toBe(true);
        expect(decide({ ...administrator, known: false }, asked).allowed).toBe(false);
      }),
    );
  });

  test("a further entry in a list never removes a right of a limited caller", async () => {
    const ids = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1 });
    await fc.assert(
      fc.property(ids, fc.constantFrom("a", "b", "c", "*"), fc.constantFrom("a", "b", "c"), (list, more, asked) => {
        const before = decide(rights({ categories: list }), { category: asked }).allowed;
        const after = decide(rights({ categories: [...list, more] }), { category: asked }).allowed;
        expect(after || !before).toBe(true);
      }),
    );
  });
});

test("only truthy privileges count", () => {
  expect(effectivePrivileges({ a: true, b: 1, c: false, d: 0, e: null, f: "x" })).toEqual({
    a: true,
    b: true,
    f: true,
  });
});
