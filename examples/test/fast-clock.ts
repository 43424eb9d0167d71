import { type Clock, systemClock } from "@signalbox/core/adapter";

/**
 * A clock that runs `factor` times as fast from `from` (Unix seconds) on: processes with the same two values agree on the time.
 */
export function fastClock(factor: number, from: number): Clock {
  return {
    now: () => from + (systemClock.now() - from) * factor,
    monotonicMs: () => systemClock.monotonicMs() * factor,
    after: (delayMs, task) => systemClock.after(delayMs / factor, task),
  };
}
