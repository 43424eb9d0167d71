import { describe, expect, test } from "vitest";
import { NODE } from "../workflow/graph/canvas/layout.ts";
import { heldBy, holdsOf } from "./holds.ts";
import { drawnOf } from "./ways.ts";

const CASES = [
  ["none depends", [{ id: "a" }, { id: "b", depends_on: [], inhibits: null }], [], []],
  ["one waits for another", [{ id: "a" }, { id: "b", depends_on: ["a"] }], ["depends a b"], [["a", "b"]]],
  ["one keeps another back", [{ id: "a", inhibits: ["b"] }, { id: "b" }], ["inhibits a b"], [["a", "b"]]],
  [
    "declared on both sides it counts once",
    [
      { id: "a", inhibits: ["b"] },
      { id: "b", depends_on: ["a"] },
    ],
    ["inhibits a b", "depends a b"],
    [["a", "b"]],
  ],
  ["a deleted rule is left out", [{ id: "b", depends_on: ["gone"], inhibits: ["gone"] }], [], []],
  [
    "a chain",
    [{ id: "a" }, { id: "b", depends_on: ["a"] }, { id: "c", depends_on: ["b", "a"] }],
    ["depends a b", "depends b c", "depends a c"],
    [
      ["a", "b", "c"],
      ["b", "c"],
    ],
  ],
] as const;

describe("rules that hold others back", () => {
  test.each(CASES)("%s", (_name, rules, wires, sentences) => {
    const graph = holdsOf(rules);
    expect(graph.connections.map(({ id }) => id)).toEqual(wires);
    expect(heldBy(graph).map(({ id, held }) => [id, ...held])).toEqual(sentences);
  });
});

test("a wire that passes a column runs beside the nodes in it", () => {
  const graph = holdsOf([{ id: "a" }, { id: "b", depends_on: ["a"] }, { id: "c", depends_on: ["a", "b"] }]);
  const { points, ways } = drawnOf(graph);
  const [, y, x] = /C[^C]* ([\d.-]+)H([\d.-]+)L/.exec(ways.get("depends a c") ?? "")?.map(Number) ?? [];
  const passed = points.get("b");
  expect(x).toBe(passed?.x);
  expect(Math.abs((y ?? 0) - ((passed?.y ?? 0) + NODE.height / 2))).toBeGreaterThan(NODE.height / 2);
  expect(ways.get("depends a b")).not.toContain("L");
});
