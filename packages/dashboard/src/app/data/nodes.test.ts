import { expect, test } from "vitest";
import { nodeNames } from "./nodes.ts";

const CASES = [
  [[], []],
  [[{ id: "n1aaaa", host: "web-1" }], ["web-1"]],
  [
    [
      { id: "n1aaaa", host: "web-1" },
      { id: "n2bbbb", host: "web-2" },
    ],
    ["web-1", "web-2"],
  ],
  [
    [
      { id: "n1aaaa", host: "web-1" },
      { id: "n2bbbb", host: "web-1" },
      { id: "n3cccc", host: "web-2" },
    ],
    ["web-1 (aaaa)", "web-1 (bbbb)", "web-2"],
  ],
] as const;

test.each(CASES)("nodes %j are called %j", (nodes, names) => {
  expect([...nodeNames(nodes).values()]).toEqual(names);
});
