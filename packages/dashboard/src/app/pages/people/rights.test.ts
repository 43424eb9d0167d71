import { expect, test } from "vitest";
import { rightsOf } from "./rights.ts";

const desk = {
  id: "desk",
  title: "Desk",
  enabled: true,
  privileges: { run_jobs: true, edit_tags: false },
  categories: ["a"],
};
const off = { id: "off", title: "Off", enabled: false, privileges: { admin: true } };
const boss = { id: "boss", title: "Boss", privileges: { admin: 1 }, groups: ["*"] };
const ROLES = [desk, off, boss];
const plain = ({ privileges, categories, groups }: ReturnType<typeof rightsOf>) => ({
  privileges: Object.fromEntries(privileges),
  categories: Object.fromEntries(categories),
  groups: Object.fromEntries(groups),
});

test.each([
  ["nothing", {}, { privileges: {}, categories: {}, groups: {} }],
  [
    "its own",
    { privileges: { run_jobs: 1, edit_tags: 0 } },
    { privileges: { run_jobs: [{}] }, categories: {}, groups: {} },
  ],
  [
    "itself and through a role that limits",
    { privileges: { run_jobs: true }, roles: ["desk"], categories: ["b"] },
    { privileges: { run_jobs: [{}, { role: "Desk" }] }, categories: { a: [{ role: "Desk" }], b: [{}] }, groups: {} },
  ],
  ["a disabled role", { roles: ["off"] }, { privileges: {}, categories: {}, groups: {} }],
  ["a deleted role", { roles: ["gone"] }, { privileges: {}, categories: {}, groups: {} }],
  [
    "an administrator, who is not limited",
    { roles: ["boss", "desk"] },
    { privileges: { admin: [{ role: "Boss" }], run_jobs: [{ role: "Desk" }] }, categories: {}, groups: {} },
  ],
])("%s", (_case, holder, expected) => {
  expect(plain(rightsOf(holder, ROLES))).toEqual(expected);
});
