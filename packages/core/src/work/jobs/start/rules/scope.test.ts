import { expect, test } from "vitest";
import { scopeOf } from "./scope.ts";

test.each([
  ["an event", { event: "e1" }, "e1"],
  ["an event with a type", { event: "e1", type: "workflow" }, "e1:workflow"],
  ["an ad-hoc job", { event: "e1", type: "adhoc" }, "e1:adhoc"],
  ["a node of a workflow run", { event: "e1", workflow: { job: "j9", node: "n1" } }, "j9/n1"],
  ["a typed node", { event: "e1", type: "adhoc", workflow: { job: "j9", node: "n1" } }, "j9/n1:adhoc"],
  ["a workflow without a parent", { event: "e1", workflow: { start: "t1" } }, "e1"],
])("the scope of similar jobs of %s", (_name, job, scope) => {
  expect(scopeOf(job)).toBe(scope);
});
