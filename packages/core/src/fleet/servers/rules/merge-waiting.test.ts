import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeWaiting } from "./merge-waiting.ts";

test.each<[string, unknown, unknown, unknown]>([
  ["the later value wins", { progress: 0.1, pid: 1 }, { progress: 0.2 }, { progress: 0.2, pid: 1 }],
  ["content that is said once stays", { table: { rows: [] } }, { progress: 1 }, { table: { rows: [] }, progress: 1 }],
  ["the later state wins", { state: "active" }, { state: "finishing" }, { state: "finishing" }],
  [
    "a complete update stays complete",
    { state: "complete", code: 1 },
    { state: "active" },
    { state: "complete", code: 1 },
  ],
  ["an update without a state keeps it", { state: "finishing" }, {}, { state: "finishing" }],
  [
    "pushed entries add up",
    { push: { tags: ["a"] } },
    { push: { tags: ["b"], limits: [1] } },
    { push: { tags: ["a", "b"], limits: [1] } },
  ],
  ["the earlier push is not lost", { push: { tags: ["a"] } }, { progress: 1 }, { push: { tags: ["a"] }, progress: 1 }],
  ["a malformed push is replaced", { push: 5 }, { push: { tags: ["a"] } }, { push: { tags: ["a"] } }],
  ["no object is no update", "x", { a: 1 }, { a: 1 }],
  ["no object changes nothing", { a: 1 }, null, { a: 1 }],
])("%s", (_name, earlier, later, merged) => {
  expect(mergeWaiting(earlier, later)).toEqual(merged);
});

test("members with ever changing names do not pile up", () => {
  let merged: unknown = {};
  for (let count = 0; count < 2000; count++) merged = mergeWaiting(merged, { [`m${count}`]: 1, push: { tags: ["a"] } });
  expect(Object.keys(merged as object).length).toBeLessThanOrEqual(502);
  expect((merged as { push: { tags: unknown[] } }).push.tags.length).toBeLessThanOrEqual(1000);
});

test("any two values can be merged, and no prototype is changed", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      mergeWaiting(a, b);
      mergeWaiting(JSON.parse('{"__proto__":{"polluted":1},"push":{"__proto__":[1]}}'), b);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    }),
  );
});
