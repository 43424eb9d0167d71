import { expect, test } from "vitest";
import { comeBackHosts, emptiest, type Names } from "./come-back.ts";

const times = (count: number, name: string): string[] => Array.from({ length: count }, () => name);
const nine = Array.from({ length: 9 }, (_, at) => `n${at}`);

test.each<[string, Names, string[]]>([
  ["a single node", { own: "a", others: [] }, ["a"]],
  ["two nodes: the own one is rare", { own: "a", others: ["b"] }, ["a", ...times(8, "b")]],
  ["three nodes", { own: "a", others: ["b", "c"] }, ["a", ...times(4, "b"), ...times(4, "c")]],
  ["more than eight others: each once", { own: "a", others: nine }, ["a", ...nine]],
  ["all behind one name", { own: "lb", others: ["lb", "lb"] }, ["lb"]],
  ["a draining node names only the others", { own: undefined, others: ["b"] }, times(8, "b")],
])("%s", (_title, names, hosts) => {
  expect(comeBackHosts(names)).toEqual(hosts);
});

test.each<[string, [string, number][], string]>([
  ["one node", [["a", 7]], "aaaaaa"],
  [
    "equally: in turn",
    [
      ["a", 0],
      ["b", 0],
    ],
    "ababab",
  ],
  [
    "the emptier one until they are equal",
    [
      ["a", 3],
      ["b", 0],
    ],
    "bbbaba",
  ],
])("satellites are spread over nodes, %s", (_title, nodes, hosts) => {
  const going = emptiest(nodes.map(([host, satellites]) => ({ host, satellites })));
  expect(Array.from({ length: 6 }, () => going.next().value).join("")).toBe(hosts);
});
