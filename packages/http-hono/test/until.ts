import { setTimeout as pause } from "node:timers/promises";
import type { FakeClock } from "@signalbox/core/testing";

const PATIENCE_MS = 120_000;
/** Real milliseconds that a database gets for queued work before the engine's clock advances. */
const TURN_MS = 4;
const STEP_SEC = 0.05;

/**
 * Returns a function that waits until a condition holds while the engine's clock advances in small steps. A database needs real
 * time, and more of it on a busy machine, so the timeout is in real time.
 */
export const untilOf =
  (clock: FakeClock) =>
  async (holds: () => Promise<boolean> | boolean): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (performance.now() > deadline) throw new Error(`It never came to that: ${holds}`);
      await clock.advance(STEP_SEC);
      await pause(TURN_MS);
    }
  };
