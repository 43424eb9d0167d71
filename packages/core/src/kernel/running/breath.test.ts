import { getActiveResourcesInfo } from "node:process";
import { expect, test } from "vitest";
import type { Clock } from "../../ports/clock.ts";
import { createBreath } from "./breath.ts";

/** A clock that advances with every read. */
function steppingClock(stepMs: number): Clock {
  let now = 0;
  return {
    now: () => now / 1000,
    monotonicMs: () => (now += stepMs),
    after: () => ({ [Symbol.dispose]: () => undefined }),
  };
}

/** How many pieces of work waited for a later turn of the event loop, in a way that keeps the process alive. */
async function pausesOf(breathe: () => Promise<void>, pieces: number): Promise<number> {
  let pauses = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const before = immediates();
    const breath = breathe();
    if (immediates() > before) pauses += 1;
    await breath;
  }
  return pauses;
}

const immediates = (): number => getActiveResourcesInfo().filter((name) => name === "Immediate").length;

test.each([
  [1, 70, 8],
  [0.1, 70, 0],
  [100, 70, 70],
])(
  "with steps of %d ms, %d pieces of work pause %d times and keep the process alive",
  async (stepMs, pieces, pauses) => {
    const breathe = createBreath(steppingClock(stepMs), new AbortController().signal);
    expect(await pausesOf(breathe, pieces)).toBe(pauses);
  },
);

test("pending pauses end once the engine stops", async () => {
  const breathe = createBreath(steppingClock(100), AbortSignal.abort());
  expect(await pausesOf(breathe, 10)).toBe(0);
});
