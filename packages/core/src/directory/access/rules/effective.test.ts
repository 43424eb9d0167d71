import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EffectiveRights } from "./access.ts";
import { type RightsRecord, type RightsRole, rightsWithRoles } from "./effective.ts";

const roles: readonly RightsRole[] = [
  { id: "ops", enabled: true, privileges: { run_jobs: true }, categories: ["c1"], groups: [] },
  { id: "web", privileges: { edit_events: 1 }, categories: ["c1", "c2"], groups: ["g1"] },
  { id: "off", enabled: false, privileges: { admin: true, abort_jobs: true }, categories: ["c9"], groups: ["g9"] },
  { id: "zero", enabled: 0, privileges: { admin: true }, categories: ["c8"] },
  { id: "boss", enabled: 1, privileges: { admin: true } },
  { id: "cancel", enabled: true, privileges: { admin: false, run_jobs: 0 }, categories: [], groups: [] },
  { id: "all", enabled: true, categories: ["*"] },
];

describe("rightsWithRoles", () => {
  test.each<[string, RightsRecord, EffectiveRights]>([
    ["nothing", {}, { privileges: {}, categories: [], groups: [] }],
    [
      "own rights alone",
      { privileges: { run_jobs: true, edit_tags: false }, categories: ["c3"], groups: ["g3"] },
      { privileges: { run_jobs: true }, categories: ["c3"], groups: ["g3"] },
    ],
    [
      "a role restricts an account without restrictions",
      { privileges: { edit_tags: true }, roles: ["ops"] },
      { privileges: { edit_tags: true, run_jobs: true }, categories: ["c1"], groups: [] },
    ],
    [
      "a role without lists widens nothing",
      { categories: ["c3"], groups: ["g3"], roles: ["cancel"] },
      { privileges: {}, categories: ["c3"], groups: ["g3"] },
    ],
    [
      "lists of several parts are united, each id once",
      { categories: ["c2", "c3"], roles: ["ops", "web"] },
      { privileges: { run_jobs: true, edit_events: true }, categories: ["c2", "c3", "c1"], groups: ["g1"] },
    ],
    [
      "disabled roles give neither privileges nor restrictions",
      { roles: ["off", "zero"] },
      { privileges: {}, categories: [], groups: [] },
    ],
    [
      "a falsy value of a role removes no right",
      { privileges: { run_jobs: true }, roles: ["cancel"] },
      { privileges: { run_jobs: true }, categories: [], groups: [] },
    ],
    [
      "a falsy value does not remove the administrator either",
      { privileges: { admin: true }, categories: ["c1"], roles: ["cancel"] },
      { privileges: { admin: true }, categories: [], groups: [] },
    ],
    [
      "an administrator by role has no restrictions, also beside restricted parts",
      { categories: ["c1"], groups: ["g1"], roles: ["web", "boss"] },
      { privileges: { edit_events: true, admin: true }, categories: [], groups: [] },
    ],
    ["an unknown role has no effect", { roles: ["gone"] }, { privileges: {}, categories: [], groups: [] }],
    [
      "a star stays in the list, where it means all",
      { categories: ["c1"], roles: ["all"] },
      { privileges: {}, categories: ["c1", "*"], groups: [] },
    ],
    [
      "roles that are not named do not count",
      { roles: ["ops"], privileges: {} },
      { privileges: { run_jobs: true }, categories: ["c1"], groups: [] },
    ],
  ])("%s", (_name, record, expected) => {
    expect(rightsWithRoles(record, roles)).toEqual(expected);
  });

  test("a privilege named like an inherited member of objects counts no more than any other", () => {
    const privileges = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}');
    const rights = rightsWithRoles({ privileges, roles: ["ops"] }, roles);
    expect(Object.hasOwn(rights.privileges, "admin")).toBe(false);
    expect(Reflect.get(rights.privileges, "admin")).toBeUndefined();
  });

  test("one more role never removes a privilege, and the order of roles does not matter", async () => {
    const ids = fc.uniqueArray(fc.constantFrom(...roles.map(({ id }) => id)));
    const own = fc.dictionary(fc.constantFrom("run_jobs", "edit_tags", "admin"), fc.boolean());
    await fc.assert(
      fc.property(own, ids, fc.constantFrom(...roles.map(({ id }) => id)), (privileges, named, more) => {
        const before = rightsWithRoles({ privileges, roles: named }, roles);
        const after = rightsWithRoles({ privileges, roles: [...named, more] }, roles);
        expect(Object.keys(after.privileges)).toEqual(expect.arrayContaining(Object.keys(before.privileges)));
        const turned = rightsWithRoles({ privileges, roles: named.toReversed() }, roles.toReversed());
        expect(turned.privileges).toEqual(before.privileges);
        expect(turned.categories.toSorted()).toEqual(before.categories.toSorted());
      }),
    );
  });
});
