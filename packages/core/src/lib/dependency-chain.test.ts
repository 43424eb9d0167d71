import { expect, test } from "vitest";
import { chainFault, dependenciesOf } from "./dependency-chain.ts";

const graph = (edges: Readonly<Record<string, string>>) => (id: string) => edges[id]?.split(" ") ?? [];
const long = Object.fromEntries(Array.from({ length: 11 }, (_each, at) => [`a${at}`, `a${at + 1}`]));

test.each([
  [{}, undefined],
  [{ a: "b c", b: "c" }, undefined],
  [{ a: "a" }, "Dependency cycle: a -> a"],
  [{ a: "b", b: "a" }, "Dependency cycle: a -> b -> a"],
  [{ a: "b c", c: "d", d: "a" }, "Dependency cycle: a -> c -> d -> a"],
])("%j", (edges, fault) => {
  expect(chainFault("a", graph(edges))).toBe(fault);
});

test("ten steps are allowed, eleven are not", () => {
  expect(chainFault("a1", graph(long))).toBeUndefined();
  expect(chainFault("a0", graph(long))).toBe("Dependency chain is longer than 10");
});

test("a circle further on is walked once, and refused for records that lead to it", () => {
  const edges = graph({ a: "b", b: "c", c: "b" });
  expect([...dependenciesOf("a", edges)]).toEqual(["b", "c"]);
  expect(chainFault("a", edges)).toBe("Dependency chain is longer than 10");
});
