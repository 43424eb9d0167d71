import { expect, test } from "vitest";
import { type FaultKind, inject } from "../test/injection.ts";

/** The long form is `npm run soak`. */
const RUNS = 6;

/** Mulberry32: the same places with each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.each<[FaultKind, number]>([
  ["statement", 200],
  ["transaction", 200],
  ["blob", 3],
])(
  "a whole scenario survives any failing %s: those who asked are refused, nothing is lost, and it goes on",
  { timeout: 120_000 },
  async (kind, least) => {
    const { count, problems } = await inject({ kind, at: 0 });
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(least);
    const chance = seeded(20);
    for (let run = 0; run < RUNS; run++) {
      const at = 1 + Math.floor(chance() * count);
      expect((await inject({ kind, at })).problems, `${kind} ${at}`).toEqual([]);
    }
  },
);
