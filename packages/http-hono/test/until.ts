import { setTimeout as pause } from "node:timers/promises";
import type { FakeClock } from "@signalbox/core/testing";

const PATIENCE_MS = 120_000;
/** Time that a database gets for queued work, before the clock of the engine moves on. */
const TURN_MS = 4;
const STEP_SEC = 0.05;

/**
 * Waiting until something holds while the clock of an engine moves on in small steps. A database needs time of its own,
 * and a busy machine more of it, so the patience is of the real clock.
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
