import { expect, test } from "vitest";
import type { Clock } from "../ports/clock.ts";
import { createBreath } from "./breath.ts";

/** Time goes on with every look at it; timers end at once and are counted. */
function steppingClock(stepMs: number) {
  let now = 0;
  let timers = 0;
  const clock: Clock = {
    now: () => now / 1000,
    monotonicMs: () => (now += stepMs),
    after(_delayMs, task) {
      timers += 1;
      queueMicrotask(task);
      return { [Symbol.dispose]: () => undefined };
    },
  };
  return { clock, timers: () => timers };
}

test.each([
  [1, 70, 8],
  [0.1, 70, 0],
  [100, 70, 70],
])("with steps of %d ms, %d pieces of work pause %d times", async (stepMs, pieces, pauses) => {
  const { clock, timers } = steppingClock(stepMs);
  const breathe = createBreath(clock, new AbortController().signal);
  for (let piece = 0; piece < pieces; piece++) await breathe();
  expect(timers()).toBe(pauses);
});

test("nobody is waited for once the engine stops", async () => {
  const { clock, timers } = steppingClock(100);
  const breathe = createBreath(clock, AbortSignal.abort());
  for (let piece = 0; piece < 10; piece++) await breathe();
  expect(timers()).toBe(0);
});
