import { expect, test } from "vitest";
import { brokenBounds, shortBounds, type Totals } from "./bounds.ts";

const fine: Totals = {
  requests: 10,
  hangs: 0,
  crashes: [],
  strangersPieceMs: 25,
  anyonePieceMs: 50,
  memoryOverIdle: 150e6,
  prototypesHarmed: false,
  findings: 0,
};

test.each<[string, Partial<Totals>, string[]]>([
  ["figures at the bounds", {}, []],
  ["no request", { requests: 0 }, ["nothing was asked"]],
  ["a crash", { crashes: ["gone"] }, ["1 crashes"]],
  ["a hang", { hangs: 2 }, ["2 requests without an answer"]],
  ["a changed prototype", { prototypesHarmed: true }, ["built-in prototypes were changed"]],
  ["a finding", { findings: 3 }, ["3 findings"]],
  ["a long piece of strangers", { strangersPieceMs: 25.1 }, ["strangers held the loop for 25.1 ms"]],
  ["a long piece of a caller", { anyonePieceMs: 51 }, ["a caller held the loop for 51.0 ms"]],
  ["memory", { memoryOverIdle: 151e6 }, ["151 MB over the idle server"]],
])("%s", (_, change, broken) => {
  expect(brokenBounds({ ...fine, ...change })).toEqual(broken);
});

test.each([
  [0.5, 60, 120],
  [1, 60, 120],
  [3, 180, 360],
  [9, 240, 480],
])(
  "on a machine with %d times slower memory the loop may be blocked for %d ms, and for %d",
  (slowness, strangers, anyone) => {
    expect(shortBounds(slowness)).toMatchObject({ strangersPieceMs: strangers, anyonePieceMs: anyone });
  },
);
