import { describe, expect, test } from "vitest";
import { byName, entryOf, type HeardNode } from "./entries.ts";

const node = (members: Partial<HeardNode> = {}): HeardNode => ({
  ...{ id: "n1", host: "ops1", version: "1.2.3", protocol: 1, started: 1000.7, state: "up" },
  ...{ satellites: 3, jobs: 2, load: 0.5, lagMs: 7, beatAgeMs: 1500 },
  ...members,
});
const look = { now: 5000, leader: "n1", isOnline: true, pingMs: 4 };

test("an entry gives the node's identity, last contact and work", () => {
  expect(entryOf(node(), look)).toEqual({
    ...{ id: "n1", host: "ops1", version: "1.2.3", protocol: 1, started: 1000 },
    ...{ online: true, master: true, date: 4998, ping: 4 },
    stats: { satellites: 3, jobs: 2, load: 0.5, lag_ms: 7, state: "up" },
  });
});

describe("master is true for the leader", () => {
  test.each([
    ["itself", "n1", true],
    ["another", "n2", false],
    ["nobody yet", undefined, false],
  ])("%s", (_title, leader, master) => {
    expect(entryOf(node(), { ...look, leader }).master).toBe(master);
  });
});

describe("names of nodes", () => {
  test.each<[string, [string, string][], string[]]>([
    ["no node", [], []],
    [
      "one for each machine",
      [
        ["n1", "a"],
        ["n2", "b"],
      ],
      ["a", "b"],
    ],
    [
      "two on one machine",
      [
        ["n1", "a"],
        ["n2", "a"],
        ["n3", "b"],
      ],
      ["n1", "n2", "b"],
    ],
  ])("%s", (_title, nodes, names) => {
    const found = byName(nodes.map(([id, host]) => entryOf(node({ id, host }), look)));
    expect(Object.keys(found)).toEqual(names);
    expect(Object.values(found).map(({ id, node: of }) => [id, of])).toEqual(
      names.map((name, at) => [name, nodes[at]?.[0]]),
    );
  });
});
