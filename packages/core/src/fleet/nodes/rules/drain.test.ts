import { expect, test } from "vitest";
import { drainOf, hasHeir } from "./drain.ts";

const node = (id: string, { state = "up" as "up" | "draining", protocol = 1 } = {}) => ({
  id,
  host: `${id}.example`,
  state,
  protocol,
});
const leaving = node("b", { state: "draining" });
const old = node("b", { protocol: 0 });

test.each([
  ["it is unknown", [node("a")], "Node not found: b"],
  ["there is no other node", [node("b")], "No other node could take over from b"],
  [
    "the others are leaving, too",
    [node("b"), node("a", { state: "draining" })],
    "No other node could take over from b",
  ],
  ["the others are of an old release", [node("b"), node("a", { protocol: 0 })], "No other node could take over from b"],
  ["it is of an old release", [old, node("a")], "This node can only be stopped where it runs: b"],
])("a node does not drain where %s", (_why, nodes, description) => {
  expect(drainOf(nodes, "b")).toMatchObject({ description });
});

test("a node drains where another one serves, and is not asked twice", () => {
  const nodes = [node("a"), node("b")];
  expect(drainOf(nodes, "b")).toMatchObject({ id: "b" });
  expect(drainOf([node("a"), leaving], "b")).toBeUndefined();
  expect([hasHeir(nodes, "b"), hasHeir([node("b")], "b"), hasHeir([leaving, node("a")], "a")]).toEqual([
    true,
    false,
    false,
  ]);
});
