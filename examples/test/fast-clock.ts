import { type Clock, systemClock } from "@signalbox/core/adapter";

/** A clock that runs `factor` times as fast since `from` (Unix seconds): processes with the same two agree on the time. */
export function fastClock(factor: number, from: number): Clock {
  return {
    now: () => from + (systemClock.now() - from) * factor,
    monotonicMs: () => systemClock.monotonicMs() * factor,
    after: (delayMs, task) => systemClock.after(delayMs / factor, task),
  };
}
