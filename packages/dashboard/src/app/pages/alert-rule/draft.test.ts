import { expect, test } from "vitest";
import { draftOf, isOnServers, type Rule, SUBJECTS } from "./draft.ts";

const stored = (subject: string | null) =>
  ({ subject, expression: "true", message: "It holds", groups: [], actions: [] }) as unknown as Rule;

test.each(SUBJECTS)("a stored rule about a %s is edited as one", (subject) => {
  expect(draftOf(stored(subject))).toMatchObject({ subject, expression: "true", message: "It holds" });
});

test("a rule that names no subject is about servers", () => {
  expect(draftOf(stored(null)).subject).toBe("server");
});

test("groups and jobs are those of servers alone", () => {
  expect(SUBJECTS.filter(isOnServers)).toEqual(["server", "presence"]);
});
