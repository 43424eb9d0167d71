import { fakeClock } from "../src/testing/fake-clock.ts";

/** A clock that can be made to advance each time it is read. */
export function createSlowClock() {
  const clock = fakeClock(undefined, { together: true });
  let elapsedMs = 0;
  let stepMs = 0;
  const monotonicMs = (): number => {
    elapsedMs += stepMs;
    return clock.monotonicMs() + elapsedMs;
  };
  return {
    clock: { ...clock, monotonicMs },
    /** Counts the turns of the event loop during `work`, in which every step takes long. */
    async turnsOf(work: () => Promise<unknown>): Promise<number> {
      let isOver = false;
      let turns = 0;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      stepMs = 10;
      await work();
      stepMs = 0;
      isOver = true;
      return turns;
    },
  };
}
