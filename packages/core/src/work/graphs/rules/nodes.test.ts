import { expect, test } from "vitest";
import { actionOf, categoriesOf, nodesOf, storeGraph, wiredNodes } from "./nodes.ts";

test.each([undefined, null, 5, "x", [], {}, { nodes: null }, { nodes: {} }])("%j contains no nodes", (graph) => {
  expect(nodesOf(graph)).toEqual([]);
});

test("entries that are no nodes are left out, and missing data become an empty object", () => {
  expect(nodesOf({ nodes: [null, 5, {}, { id: "n1", type: "job", data: "x" }] })).toEqual([
    { id: "", type: "", data: {} },
    { id: "n1", type: "job", data: {} },
  ]);
});

test("a stored graph has no members that start a process, and no members of the engine", () => {
  const node = { id: "n1", type: "job", extra: 1, data: { plugin: "p", params: { script: "x" }, color: "red" } };
  const hostile = { command: "rm", script: "rm", uid: 0, gid: 0, cwd: "/", env: {}, kill: 1, runner: 1, api_key: "k" };
  const owned = {
    state: {},
    jobs: {},
    aborted: "x",
    job: "j",
    event: "e",
    node: "n",
    launcher: "n",
    params: {},
    now: 1,
  };
  const sent = { ...owned, nodes: [{ ...node, data: { ...node.data, ...hostile } }, 5], connections: [], zoom: 2 };
  expect(storeGraph(sent)).toEqual({ nodes: [node, 5], connections: [], zoom: 2 });
  expect(storeGraph("x")).toBe("x");
});

test("users of an action node may be a text", () => {
  expect(actionOf({ type: "email", users: "ada, bob,," })).toEqual({ type: "email", users: ["ada", "bob"] });
  expect(actionOf({ type: "email", users: ["ada"] })).toEqual({ type: "email", users: ["ada"] });
  expect(actionOf({ type: "email" })).toEqual({ type: "email" });
});

test("the categories of a graph are the categories of its job nodes, each once", () => {
  const node = (type: string, category: unknown) => ({ id: "n", type, data: { category } });
  const nodes = [node("job", "b"), node("job", "a"), node("job", "b"), node("event", "c"), node("job", 5)];
  expect(categoriesOf({ nodes })).toEqual(["a", "b"]);
});

test("a node is the same wherever it is drawn, and another one with other wires", () => {
  const graph = (x: number, connections: unknown) => ({ nodes: [{ id: "n1", type: "job", x, data: {} }], connections });
  const wires = [{ id: "c2", source: "n3", dest: "n1", condition: "error" }, { id: "c1", source: "n2", dest: "n1" }, 5];
  const wired = wiredNodes(graph(1, wires));
  expect(wired).toEqual([{ id: "n1", type: "job", data: {}, wires: ["n2 ", "n3 error"] }]);
  expect(wiredNodes(graph(2, wires.toReversed()))).toEqual(wired);
  expect(wiredNodes(graph(1, undefined))).toEqual([{ id: "n1", type: "job", data: {}, wires: [] }]);
});
