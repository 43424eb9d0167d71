import type { Clock } from "../ports/clock.ts";

/** A clock that the test moves. */
export interface FakeClock extends Clock {
  /** Advances time by seconds, runs due timers in order, and lets the work that they start settle. */
  advance(seconds: number): Promise<void>;
  /** Advances to a time (Unix seconds); never goes back. */
  advanceTo(time: number): Promise<void>;
  /** Advances to the next timer due within the given seconds and runs it; returns false without moving if there is none. */
  advanceToNext(seconds: number): Promise<boolean>;
  /** Steps the wall clock by seconds without running timers, as an operator or NTP would. */
  step(seconds: number): void;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** How work settles while a fake clock moves. */
export interface FakeClockOptions {
  /** Awaited before time moves, after each timer, and at the end. Default: a few turns of the event loop. */
  readonly settle?: () => Promise<void>;
  /** Runs timers that are due at the same instant one after another and settles once for all of them. Default false. */
  readonly together?: boolean;
}

/** A clock that stands still until the test moves it. `start` is Unix seconds. */
export function fakeClock(
  start = 1_800_000_000,
  { settle = someTurns, together = false }: FakeClockOptions = {},
): FakeClock {
  let elapsedMs = 0;
  let offsetSec = start;
  // In order, the next one last: an engine sets tens of thousands of timers in an hour.
  const timers: Timer[] = [];
  const nextDue = (limit: number): Timer | undefined => {
    const next = timers.at(-1);
    return next && next.at <= limit ? next : undefined;
  };
  const fire = async (first: Timer): Promise<void> => {
    elapsedMs = Math.max(elapsedMs, first.at);
    for (let timer: Timer | undefined = first; timer; timer = together ? nextDue(elapsedMs) : undefined) {
      timers.pop();
      timer.task();
    }
    await settle();
  };
  const clock: FakeClock = {
    now: () => offsetSec + elapsedMs / 1000,
    monotonicMs: () => elapsedMs,
    after(delayMs, task) {
      const timer = { at: elapsedMs + Math.max(0, delayMs), task };
      // Before all timers that are due at the same time or sooner, since those come first.
      timers.splice(timers.findLastIndex(({ at }) => at > timer.at) + 1, 0, timer);
      return {
        [Symbol.dispose]() {
          const index = timers.lastIndexOf(timer);
          if (index >= 0) timers.splice(index, 1);
        },
      };
    },
    async advance(seconds) {
      // Rounded to the microsecond: rounding errors in sums of fractions must not skip a timer that is due at the target.
      const target = Math.max(elapsedMs, Math.round((elapsedMs + seconds * 1000) * 1000) / 1000);
      await settle();
      for (let timer = nextDue(target); timer; timer = nextDue(target)) await fire(timer);
      elapsedMs = target;
      await settle();
    },
    async advanceToNext(seconds) {
      await settle();
      const timer = nextDue(elapsedMs + seconds * 1000);
      if (timer) await fire(timer);
      return timer !== undefined;
    },
    advanceTo: (time) => clock.advance(time - clock.now()),
    step(seconds) {
      offsetSec += seconds;
    },
  };
  return clock;
}

/** Gives promises and finished I/O of memory storages time to run. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
