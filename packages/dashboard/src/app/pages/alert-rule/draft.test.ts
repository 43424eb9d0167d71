import { expect, test } from "vitest";
import { draftOf, isOnServers, type Rule, recordOf, SUBJECTS } from "./draft.ts";

const stored = (subject: string | null) =>
  ({ subject, expression: "true", message: "It holds", groups: [], actions: [] }) as unknown as Rule;

test.each(SUBJECTS)("a stored rule about a %s is edited as one", (subject) => {
  expect(draftOf(stored(subject))).toMatchObject({ subject, expression: "true", message: "It holds" });
});

test("a rule without a subject is about servers", () => {
  expect(draftOf(stored(null)).subject).toBe("server");
});

test.each([
  [{}, "", null, null],
  [{ flap_count: 0 }, "0", 0, null],
  [{ flap_count: 6, flap_window: 7200 }, "6", 6, 7200],
])("flapping %j is kept by the form", (members, flaps, flap_count, flap_window) => {
  const draft = draftOf({ ...stored("server"), ...members });
  expect(draft.flaps).toBe(flaps);
  expect(recordOf(draft)).toMatchObject({ flap_count, flap_window });
});

test("groups and jobs are only for rules about servers", () => {
  expect(SUBJECTS.filter(isOnServers)).toEqual(["server", "presence"]);
});
