import { expect, test } from "vitest";
import { optionsOf, problemKey } from "./problem.ts";

const alert = { side: "alert", isAnew: false } as const;
const before = { side: "alert", isAnew: true } as const;
const job = { side: "job", isAnew: false } as const;
const none = { reuses: false, closes: false, isJoint: false };

test.each<[Record<string, unknown>, Parameters<typeof optionsOf>[1], Partial<typeof none>]>([
  [{}, alert, { reuses: true }],
  [{ reuse: "" }, alert, { reuses: true }],
  [{ reuse: null }, alert, { reuses: true }],
  [{ reuse: "new" }, alert, {}],
  [{}, before, {}],
  [{ reuse: "open" }, before, { reuses: true }],
  [{}, job, {}],
  [{ reuse: "open" }, job, { reuses: true }],
  [{ per: "problem", reuse: "new" }, alert, { isJoint: true }],
  [{ per: "subject" }, alert, { reuses: true }],
  [{ per: "problem" }, job, {}],
  [{ close_on_clear: 1, reuse: "new" }, alert, { closes: true }],
])("a ticket action with %j of %j", (action, kind, expected) => {
  expect(optionsOf(action, kind)).toEqual({ ...none, ...expected });
});

test("the order of people and tags makes no other problem, and several actions have one problem each", () => {
  const action = { ticket_type: "issue", ticket_assignees: ["ann", "tom"], ticket_tags: [] };
  const turned = { ...action, ticket_assignees: ["tom", "ann"] };
  expect(problemKey("alert:hot:s1", action)).toBe(problemKey("alert:hot:s1", turned));
  expect(problemKey("alert:hot", action)).not.toBe(problemKey("alert:hot:s1", action));
  expect(problemKey("alert:hot", action, "k1")).not.toBe(problemKey("alert:hot", action, "k2"));
});
