import { describe, expect, test } from "vitest";
import { changesGraph, postedGraph, startNodeOf, workflowOf } from "./start-node.ts";

const triggers = [
  { id: "n1", type: "manual", enabled: false },
  { id: "n2", type: "manual", enabled: true },
  { id: "n3", type: "schedule", enabled: true },
  { id: "n4", type: "magic", enabled: true },
  { id: "n5", type: "startup", enabled: true },
];

test.each<[string, object, number | undefined, string | undefined]>([
  ["user", {}, undefined, "n2"],
  ["key", {}, undefined, "n2"],
  ["user", { start: "n9" }, undefined, "n9"],
  ["key", { start: "n9" }, undefined, "n9"],
  ["user", { start: "" }, undefined, "n2"],
  ["action", { start: "n9" }, undefined, "n2"],
  ["alert", { start: "n9" }, undefined, "n2"],
  ["workflow", { start: "n9" }, undefined, "n2"],
  ["scheduler", { start: "n9" }, 2, "n3"],
  ["plugin", {}, 2, "n3"],
  ["magic", {}, 3, "n4"],
  ["startup", {}, 4, "n5"],
  ["scheduler", {}, undefined, undefined],
])("a run of %s of %j by trigger %s begins at %s", (source, graph, fired, expected) => {
  expect(startNodeOf(graph, triggers, source, fired === undefined ? undefined : triggers[fired])).toBe(expected);
});

test.each<[string, { id?: unknown; type: string; enabled: boolean }[]]>([
  ["no manual trigger", []],
  ["a disabled one", [{ id: "n1", type: "manual", enabled: false }]],
  ["one without an id", [{ type: "manual", enabled: true }]],
  ["one with an odd id", [{ id: {}, type: "manual", enabled: true }]],
])("with %s there is no start node", (_name, some) => {
  expect(startNodeOf({}, some, "user")).toBeUndefined();
});

describe("the graph of a launch", () => {
  const workflow = { nodes: [], connections: [], start: "n9", job: "jforged", node: "n1", state: {}, color: "red" };
  const event = { type: "workflow", triggers, workflow };

  test("has its start node, and no members that the engine writes", () => {
    const rest = { nodes: [], connections: [], color: "red" };
    expect(workflowOf(event, { source: "action" })).toEqual({ workflow: { ...rest, start: "n2" } });
    expect(workflowOf(event, { source: "user" })).toEqual({ workflow: { ...rest, start: "n9" } });
    expect(workflowOf({ ...event, triggers: [] }, { source: "alert" })).toEqual({ workflow: rest });
  });

  test("is the posted graph if one is posted", () => {
    const graph = { nodes: [1], connections: [] };
    expect(workflowOf(event, { source: "user", graph })).toEqual({ workflow: { ...graph, start: "n2" } });
  });

  test.each([
    { triggers, workflow },
    { type: "workflow", triggers },
    { type: "workflow", triggers, workflow: "x" },
  ])("is undefined without a workflow: %#", (other) => {
    expect(workflowOf(other, { source: "user" })).toEqual({});
  });
});

test("posted members are merged into the stored graph, and a whole posted graph replaces it", () => {
  const stored = { nodes: [1], connections: [2], start: "n1" };
  expect(postedGraph(stored, { start: "n2" })).toEqual({ ...stored, start: "n2" });
  expect(postedGraph(stored, { nodes: [], connections: [] })).toEqual({ nodes: [], connections: [] });
  expect(postedGraph(stored, "x")).toBe("x");
  expect(postedGraph(undefined, { start: "n2" })).toEqual({ start: "n2" });
});

test.each([
  [undefined, false],
  [{}, false],
  [{ start: "n2" }, false],
  [{ start: "n2", connections: [] }, true],
  [{ nodes: [] }, true],
  ["x", true],
  [null, true],
])("%j changes the graph: %s", (posted, expected) => {
  expect(changesGraph(posted)).toBe(expected);
});
