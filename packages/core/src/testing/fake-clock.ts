import type { Clock } from "../ports/clock.ts";

export interface FakeClock extends Clock {
  /** Moves time on, running what falls due in order, and lets the work it starts settle. Seconds. */
  advance(seconds: number): Promise<void>;
  /** Moves to a time (Unix seconds), forwards only. */
  advanceTo(time: number): Promise<void>;
  /** Steps the wall clock without running timers, as an operator or NTP would. Seconds. */
  step(seconds: number): void;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly task: () => void;
}

/** A clock that stands still until the test moves it. `start` is Unix seconds. */
export function fakeClock(start = 1_800_000_000): FakeClock {
  let elapsedMs = 0;
  let offsetSec = start;
  let order = 0;
  const timers = new Set<Timer>();
  const nextDue = (limit: number): Timer | undefined => {
    let due: Timer | undefined;
    for (const timer of timers)
      if (timer.at <= limit && (!due || timer.at < due.at || (timer.at === due.at && timer.order < due.order)))
        due = timer;
    return due;
  };
  const clock: FakeClock = {
    now: () => offsetSec + elapsedMs / 1000,
    monotonicMs: () => elapsedMs,
    after(delayMs, task) {
      const timer = { at: elapsedMs + Math.max(0, delayMs), order: order++, task };
      timers.add(timer);
      return { [Symbol.dispose]: () => void timers.delete(timer) };
    },
    async advance(seconds) {
      const target = elapsedMs + seconds * 1000;
      await settle();
      for (let timer = nextDue(target); timer; timer = nextDue(target)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.at);
        timer.task();
        await settle();
      }
      elapsedMs = target;
      await settle();
    },
    advanceTo: (time) => clock.advance(time - clock.now()),
    step(seconds) {
      offsetSec += seconds;
    },
  };
  return clock;
}

/** Gives promises and finished I/O of memory storages their turns. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
