import { expect, test } from "vitest";
import type { Event } from "../events/deeds.ts";
import { rollbackOf } from "./rollback.ts";

test("a rollback sends the former values, nothing for later members, and the revision that it replaces", () => {
  const then = { id: "e1", title: "Old", revision: 2, modified: 5, limits: [], color: "red" } as unknown as Event;
  const current = {
    ...{ id: "e1", title: "New", revision: 7, modified: 9, limits: [{ type: "job" }] },
    ...{ notes: "x", extra: ["a"], deep: { a: 1 }, count: 3 },
  } as unknown as Event;
  expect(rollbackOf(current, then)).toEqual({
    ...{ id: "e1", title: "Old", if_revision: 7, limits: [], color: "red" },
    ...{ notes: "", extra: [], deep: {}, count: null },
  });
});
