import { expect, test } from "vitest";
import type { StoredNode } from "../../ports/nodes/nodes.ts";
import { knownNodes, NOTHING_SEEN, type Observation, observe } from "./observation.ts";

const row = (id: string, beat: number): StoredNode => ({
  ...{ id, beat, host: `${id}.example.internal`, version: "1.0.0", protocol: 1, started: 1, state: "up" },
  ...{ satellites: 0, jobs: 0, load: 0, lagMs: 0 },
});
/** A second, and the beats read in it; no beats when the own beat failed. */
type Said = readonly [second: number, beats: Readonly<Record<string, number>>];
const after = (all: readonly Said[]): Observation =>
  all.reduce((before, [second, beats]) => {
    const others = Object.entries(beats).map(([id, beat]) => row(id, beat));
    return observe(before, { wasKnown: true, nowMs: 0, others }, { nowMs: second * 1000, fenceMs: 8000 });
  }, NOTHING_SEEN);

const cases: readonly [string, readonly Said[], number, Readonly<Record<string, number>>][] = [
  ["is as old as its first sight", [[0, { a: 1 }]], 3, { a: 3 }],
  [
    "is young again with another beat",
    [
      [0, { a: 1 }],
      [2, { a: 2 }],
    ],
    3,
    { a: 1 },
  ],
  [
    "grows old without one",
    [
      [0, { a: 1 }],
      [2, { a: 1 }],
      [4, { a: 1 }],
    ],
    13,
    { a: 13 },
  ],
  [
    "is not silent because this node was away",
    [
      [0, { a: 1 }],
      [40, { a: 1 }],
    ],
    41,
    { a: 1 },
  ],
  [
    "beats again from a lower number after a restore",
    [
      [0, { a: 9 }],
      [2, { a: 1 }],
    ],
    2,
    { a: 0 },
  ],
  [
    "is gone without its row",
    [
      [0, { a: 1, b: 1 }],
      [2, { b: 2 }],
    ],
    2,
    { b: 0 },
  ],
];

test.for(cases)("a node %s", ([, said, second, ages]) => {
  const known = knownNodes(after(said), second * 1000);
  expect(Object.fromEntries(known.map(({ id, beatAgeMs }) => [id, beatAgeMs / 1000]))).toEqual(ages);
});
